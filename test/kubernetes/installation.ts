import { execFileSync } from 'node:child_process';
import { linesWith } from '../faults/systems/lines-with.js';
import { createOperatorCommand } from '../faults/systems/operator-command.js';
import type { Installation } from '../faults/systems/system.js';
import type { Kubectl } from './kubectl.js';

/** The release as callers and operators see it: the gateway's Service, and the command inside the pods. */
export function createInstallation(kubectl: Kubectl, fullname: string, front: string): Installation {
  const inPodOf = (service: string) => `${kubectl.command} exec deploy/${fullname}-${service} -- whetstone`;
  /** Of the pods that are there; those that are gone took their logs along. */
  const printedNow = () => {
    const all = ['--all-containers', '--prefix', '--tail=-1', '--max-log-requests=100'];
    const args = [
      '--namespace',
      kubectl.namespace,
      'logs',
      '--selector',
      'app.kubernetes.io/part-of=whetstone',
      ...all,
    ];
    return execFileSync('kubectl', args, { maxBuffer: 512 * 1024 * 1024, encoding: 'utf8' });
  };
  return {
    name: 'Kubernetes',
    front,
    // Pods come and go; the Service stays.
    gateways: [front],
    operator: createOperatorCommand(inPodOf('gateway')).operator,
    exportRows: () => createOperatorCommand(inPodOf('indexer')).exportRows(),
    logged: (words) => linesWith(words, printedNow()),
  };
}
