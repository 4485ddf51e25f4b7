import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../../support/eventually.js';
import { type Caller, operations } from '../clients/caller.js';
import { ask, createUploading } from '../clients/requests.js';
import type { Place } from '../evidence.js';
import type { ClusterSystem } from '../systems/start-cluster-system.js';
import type { Stage } from './run-scenario.js';

type ClusterStage = Stage<ClusterSystem>;

/** Kills the broker under load and restarts it at once. */
export async function killBroker({ system, load }: ClusterStage, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await load.more(10);
    await system.broker.kill();
    await system.broker.restart();
  }
}

/** On top of the store's own deadline, for a busy machine. */
const slackMs = 10_000;

/** Without Kafka uploads are rejected in time, and tasks are still answered. */
export async function breakBroker(stage: ClusterStage, forMs: number, storeTimeoutMs: number): Promise<void> {
  const { system, load } = stage;
  await knowSomething(stage);
  await system.broker.kill();
  const killedAt = Date.now();
  await Promise.all(
    system.gateways.map(async (gateway) => {
      const { history } = load;
      const { caller, place } = someone(load);
      const { status } = await ask(history, caller, place, 'archive', gateway);
      if (status !== operations.enhance.success)
        history.oddities.push(`enhance_task was ${status} without Kafka at ${gateway}`);
      const begunAt = Date.now();
      const accepted = await createUploading(history, { place, topic: 'archive' }).send(caller, gateway);
      const tookMs = Date.now() - begunAt;
      process.stdout.write(`Without Kafka an upload was answered after ${tookMs} ms at ${gateway}\n`);
      if (accepted) history.oddities.push(`an upload was accepted without Kafka at ${gateway}`);
      if (tookMs > storeTimeoutMs + slackMs) history.oddities.push(`an upload was answered only after ${tookMs} ms`);
    }),
  );
  await sleep(Math.max(0, forMs - (Date.now() - killedAt)));
  await system.broker.restart();
}

/** Without Milvus uploads are accepted, and wait. */
export async function breakVectorStore({ system, load }: ClusterStage, forMs: number): Promise<void> {
  await load.more(10);
  await system.vectorStore.kill();
  const killedAt = Date.now();
  for (const gateway of system.gateways) {
    const { history } = load;
    const { caller, place } = someone(load);
    const accepted = await createUploading(history, { place, topic: 'archive' }).send(caller, gateway);
    if (!accepted) history.oddities.push(`an upload was refused without Milvus at ${gateway}`);
  }
  await sleep(Math.max(0, forMs - (Date.now() - killedAt)));
  await system.vectorStore.restart();
}

async function knowSomething({ system, load }: ClusterStage): Promise<void> {
  const { caller, place } = someone(load);
  await load.upload(caller, { place, topic: 'archive' });
  const known = async () =>
    (await ask(load.history, caller, place, 'archive', system.front)).body?.metadata.recommendations.length ||
    undefined;
  await eventually(known, { what: 'something is known' });
}

function someone({ callers, placesOf }: ClusterStage['load']): { caller: Caller; place: Place } {
  const caller = callers[0] as Caller;
  return { caller, place: placesOf(caller)[0] as Place };
}
