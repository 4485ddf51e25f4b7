import { eventually } from '../support/eventually.js';
import { type Kubectl, runCommand } from './kubectl.js';
import type { Options } from './options.js';
import { chart, waiting } from './release.js';

export interface StandaloneOptions {
  helm: string;
  kubectl: Kubectl;
  options: Pick<Options, 'registry' | 'tag' | 'pullPolicy' | 'cpu'>;
}

interface Pod {
  status: { containerStatuses?: { restartCount: number }[] };
}

/** The chart with `mode: standalone`: one pod that keeps its key to itself, and that a rollback repairs. */
export async function runStandalone({ helm, kubectl, options }: StandaloneOptions): Promise<void> {
  const name = 'solo';
  const workload = `statefulset/${name}-whetstone-standalone`;
  const { registry, tag, pullPolicy, cpu } = options;
  const settings = [
    'mode=standalone',
    `image.registry=${registry}`,
    `image.tag=${tag}`,
    `image.pullPolicy=${pullPolicy}`,
    'standalone.persistence.keepOnUninstall=false',
    ...(cpu ? [`standalone.resources.requests.cpu=${cpu}`] : []),
  ];
  const run = (...args: string[]) => runCommand(helm, ['--namespace', kubectl.namespace, ...args]);
  const upgrade = (all: readonly string[], ...args: string[]) =>
    run('upgrade', '--install', name, chart, '--set', all.join(','), ...args);

  await upgrade(settings, ...waiting);
  const log = await kubectl.run('logs', workload);
  if (log.includes('WHETSTONE_KEY=')) throw new Error('The log holds a key');

  // The process ends at its start.
  await upgrade([...settings, 'standalone.env.WHETSTONE_MAX_COLLECTIONS=none']);
  const broken = async () => {
    const { status } = await kubectl.json<Pod>('get', 'pod', `${name}-whetstone-standalone-0`);
    return (status.containerStatuses?.[0]?.restartCount ?? 0) > 0 || undefined;
  };
  await eventually(broken, { what: 'the pod fails', withinMs: 180_000, everyMs: 1000 });
  await run('rollback', name, '1', '--wait', '--timeout', '3m');
  await run('uninstall', name, ...waiting);
}
