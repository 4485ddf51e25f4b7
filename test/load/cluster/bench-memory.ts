import { setTimeout as pause } from 'node:timers/promises';

import { residentMegabytes } from '../bench-footprint.js';
import type { Figure } from '../report.js';
import type { Bench } from './bench-cluster.js';

const settleMs = 10_000;

/** Idle memory of each service. */
export async function benchMemory({ cluster }: Bench): Promise<Figure[]> {
  await pause(settleMs);
  const figures: Figure[] = [];
  for (const [service, [replica]] of Object.entries(cluster.services)) {
    if (!replica) continue;
    figures.push({ name: `memory at rest, ${service}`, value: await residentMegabytes(replica), unit: 'MB' });
  }
  return figures;
}
