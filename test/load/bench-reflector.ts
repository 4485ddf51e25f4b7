import { setMaxListeners } from 'node:events';

import { analyserConfigOf, analyserConfigSchema, openInsightProducer } from '@whetstone/analyser';
import { encodeMessage } from '@whetstone/event-log';
import { createLogger, loadConfig, Registry } from '@whetstone/platform';
import { type Figure, median } from './report.js';
import { largeUpload, sampleUpload } from './samples.js';

const rounds = 5;
const perRound = 1_000;
const largePerRound = 2;

/**
 * Interactions through the reflector's threads, there and back, against reading the same uploads as JSON alone. Both take turns,
 * and each ratio is of one round.
 */
export async function benchReflector(): Promise<Figure[]> {
  const logger = createLogger({ service: 'bench', level: 'error', pretty: false });
  const { reflector } = analyserConfigOf(loadConfig(analyserConfigSchema, {}));
  const producer = await openInsightProducer({ reflector }, { logger, registry: new Registry() });
  const small = Array.from({ length: perRound }, (_, number) => sampleUpload(number));
  const large = Array.from({ length: largePerRound }, () => largeUpload());
  const packed = new Map<string, Uint8Array>();
  for (const upload of large) {
    packed.set(upload, await encodeMessage({ interaction: interactionOf(upload) }, { gzip: true }));
  }
  const { signal } = new AbortController();
  // All interactions of a round wait for a thread.
  setMaxListeners(0, signal);
  const analyse = (uploads: readonly string[]) =>
    Promise.all(uploads.map((upload) => producer.produce(runOf(upload), signal)));
  const parse = async (uploads: readonly string[]) => uploads.map(interactionOf);
  try {
    await analyse([...small, ...large]);
    return [
      await figure('interactions of 4 KB through the reflector', 'interactions/s', small),
      await figure('interactions of 4 MiB through the reflector', 'interactions/s', large),
    ];
  } finally {
    await producer.close();
  }

  /** As the analyser passes it: a large one as its message bytes. */
  function runOf(upload: string) {
    const message = packed.get(upload);
    return message ? { message } : interactionOf(upload);
  }

  async function figure(name: string, unit: string, uploads: readonly string[]): Promise<Figure> {
    const rates: number[] = [];
    const baselines: number[] = [];
    for (let round = 0; round < rounds; round++) {
      baselines.push(uploads.length / (await secondsOf(() => parse(uploads))));
      rates.push(uploads.length / (await secondsOf(() => analyse(uploads))));
    }
    const ratio = median(rates.map((rate, round) => rate / (baselines[round] as number)));
    return { name, value: median(rates), baseline: median(baselines), ratio, unit };
  }
}

/** As the gateway would pass it, as far as the reflector reads it. */
function interactionOf(upload: string) {
  const { query, agent_type: agentType, success, turns } = JSON.parse(upload);
  return { query, agentType, success, turns };
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}
