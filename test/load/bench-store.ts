import { type Contender, startBareExpress, startContender, whileOthersStandStill } from './contenders.js';
import { uploadsPerSecond } from './load.js';
import { type Figure, median } from './report.js';

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
    for (const contender of all) await whileOthersStandStill(all, contender, () => upload(contender));
    for (let round = 0; round < rounds; round++) {
      rates.bare.push(await whileOthersStandStill(all, bare, () => upload(bare)));
      rates.accepting.push(await whileOthersStandStill(all, accepting, () => upload(accepting)));
      rates.draining.push(await whileOthersStandStill(all, draining, () => upload(draining)));
    }
    return [
      figure('store_knowledge, analyser not draining', rates.accepting, rates.bare),
      figure('store_knowledge, analyser draining', rates.draining, rates.bare),
    ];
  } finally {
    for (const { end } of all) await end();
  }
}

function upload({ url, key }: Contender): Promise<number> {
  return uploadsPerSecond({ url, key, connections, seconds: turnSeconds });
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
