import { execFileSync } from 'node:child_process';

import { createOperatorCommand, type Installation, linesWith } from '../faults/systems/system.js';
import { eventually } from '../support/eventually.js';
import type { Kubectl } from './kubectl.js';

/** The release as callers and operators see it: the gateway's Service, and the command in the pods. */
export function createInstallation(kubectl: Kubectl, fullname: string, front: string): Installation {
  const inPodOf = (service: string) => `${kubectl.command} exec deploy/${fullname}-${service} -- whetstone`;
  /** Logs of the current pods. */
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
    // Pods change; the Service stays.
    gateways: [front],
    operator: createOperatorCommand(inPodOf('gateway')).operator,
    exportRows: () => createOperatorCommand(inPodOf('indexer')).exportRows(),
    logged: (words) => linesWith(words, printedNow()),
  };
}

interface Service {
  spec: { clusterIP: string; ports: { name: string; port: number }[] };
}

/** How this machine reaches the gateway: at the given address, or at its cluster address. */
export async function findGateway(kubectl: Kubectl, fullname: string, told: string): Promise<string> {
  const { spec } = await kubectl.json<Service>('get', 'service', `${fullname}-gateway`);
  const port = spec.ports.find(({ name }) => name === 'http')?.port;
  const url = told || `http://${spec.clusterIP}:${port}`;
  const answers = async () => {
    const answer = await fetch(`${url}/openapi.json`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    return answer?.ok || undefined;
  };
  await eventually(answers, { what: 'it answers', withinMs: 20_000, everyMs: 500 }).catch(() => {
    throw new Error(
      told
        ? `Nothing answers at ${url}`
        : `${url} is unreachable from this machine. Run this where Service addresses are reachable, or pass --url`,
    );
  });
  return url;
}
