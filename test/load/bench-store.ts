import { randomInt } from 'node:crypto';

import autocannon from 'autocannon';

import { type Contender, startBareExpress, startContender, whileOthersStandStill } from './contenders.js';
import { type Figure, median } from './report.js';
import { sampleUpload } from './sample-upload.js';

const connections = 32;
const rounds = 8;
const turnSeconds = 2;

/**
 * Uploads at 32 connections against a bare express route that parses the same body. The three take short turns and each
 * ratio is of one round, so that what else the machine does hits both sides of it alike.
 */
export async function benchStore(): Promise<Figure[]> {
  const bare = await startBareExpress();
  const accepting = await startContender({ WHETSTONE_ANALYSER_CONCURRENCY: '0' });
  const draining = await startContender({});
  const all = [bare, accepting, draining];
  try {
    const rates = { bare: [] as number[], accepting: [] as number[], draining: [] as number[] };
    for (const contender of all) await whileOthersStandStill(all, contender, () => uploadsPerSecond(contender));
    for (let round = 0; round < rounds; round++) {
      rates.bare.push(await whileOthersStandStill(all, bare, () => uploadsPerSecond(bare)));
      rates.accepting.push(await whileOthersStandStill(all, accepting, () => uploadsPerSecond(accepting)));
      rates.draining.push(await whileOthersStandStill(all, draining, () => uploadsPerSecond(draining)));
    }
    return [
      figure('store_knowledge, analyser not draining', rates.accepting, rates.bare),
      figure('store_knowledge, analyser draining', rates.draining, rates.bare),
    ];
  } finally {
    for (const { end } of all) await end();
  }
}

function figure(name: string, rates: number[], baselines: number[]): Figure {
  const ratios = rates.map((rate, round) => rate / (baselines[round] as number));
  return {
    name,
    value: median(rates),
    baseline: median(baselines),
    ratio: median(ratios),
    unit: 'uploads/s',
    goal: '≥ 0.5×',
  };
}

async function uploadsPerSecond({ url, key }: Contender): Promise<number> {
  let number = randomInt(100_000_000);
  const result = await autocannon({
    url,
    connections,
    duration: turnSeconds,
    requests: [
      {
        method: 'POST',
        path: '/store_knowledge',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        setupRequest: (request) => ({ ...request, body: sampleUpload(number++) }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers were no 2xx, ${result.errors} requests failed`);
  }
  return result['2xx'] / result.duration;
}
