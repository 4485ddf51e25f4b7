import { type ServiceName, serviceNames } from '@whetstone/deploy';

import { eventually } from '../support/eventually.js';
import type { Kubectl } from './kubectl.js';

export interface Pod {
  metadata: { name: string; labels: Record<string, string>; deletionTimestamp?: string };
  status: {
    phase: string;
    podIP?: string;
    conditions?: { type: string; status: string; lastTransitionTime: string }[];
    containerStatuses?: { restartCount: number; state: { running?: { startedAt: string } } }[];
  };
}

const component = 'app.kubernetes.io/component';
const patienceMs = 300_000;

export async function podsOf(kubectl: Kubectl, release: string, service?: ServiceName): Promise<Pod[]> {
  const selector = `app.kubernetes.io/instance=${release}${service ? `,${component}=${service}` : ''}`;
  const { items } = await kubectl.json<{ items: Pod[] }>('get', 'pods', '--selector', selector);
  return items.filter(({ metadata }) => (serviceNames as readonly string[]).includes(metadata.labels[component] ?? ''));
}

/** From the start of the container until the pod was ready, whole seconds as Kubernetes keeps them, service by service. */
export async function startTimes(kubectl: Kubectl, release: string): Promise<string[]> {
  const pods = await podsOf(kubectl, release);
  return serviceNames.map((service) => {
    const times = pods.filter(({ metadata }) => metadata.labels[component] === service).map(readySeconds);
    return `${service}: ready ${times.join(' and ')} s after its start`;
  });
}

function readySeconds({ status }: Pod): number | string {
  const started = status.containerStatuses?.[0]?.state.running?.startedAt;
  const ready = status.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
  return started && ready ? (Date.parse(ready) - Date.parse(started)) / 1000 : '?';
}

export interface Replaced {
  /** From the kill until another pod was ready. */
  tookMs: number;
  /** From the start of its container. */
  startSeconds: number | string;
}

/** Ends one pod of a service at once, without its orderly stop, and waits until another one is ready in its place. */
export async function killPod(kubectl: Kubectl, release: string, service: ServiceName): Promise<Replaced> {
  const before = await podsOf(kubectl, release, service);
  const victim = before[0] as Pod;
  const begun = Date.now();
  await kubectl.run('delete', 'pod', victim.metadata.name, '--grace-period=0', '--force', '--wait=false');
  const replaced = async () => {
    const ready = (await podsOf(kubectl, release, service)).filter(isReady);
    const known = before.map(({ metadata }) => metadata.name);
    return ready.find(({ metadata }) => !known.includes(metadata.name));
  };
  const what = `another pod of ${service} is ready`;
  const fresh = await eventually(replaced, { what, withinMs: patienceMs, everyMs: 500 });
  return { tookMs: Date.now() - begun, startSeconds: readySeconds(fresh) };
}

function isReady({ status, metadata }: Pod): boolean {
  const ready = status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
  return ready && metadata.deletionTimestamp === undefined;
}

/** Pods whose container ended by itself: names, and how often. */
export async function restartsIn(kubectl: Kubectl, release: string): Promise<string[]> {
  return (await podsOf(kubectl, release)).flatMap(({ metadata, status }) => {
    const times = status.containerStatuses?.[0]?.restartCount ?? 0;
    return times > 0 ? [`${metadata.name}: ${times}`] : [];
  });
}
