import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { startProduct } from '../support/product.js';
import { type Figure, median } from './report.js';

/** As reported by the process itself. */
export async function residentMegabytes({ opsUrl }: { opsUrl: string }): Promise<number> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(metrics) ?? [];
  return Number(bytes) / 1e6;
}

const starts = 5;
const settleMs = 3_000;

/** Time from process start to ready on an empty folder, and memory when idle. */
export async function benchFootprint(): Promise<Figure[]> {
  const readySeconds: number[] = [];
  const restingMegabytes: number[] = [];
  for (let start = 0; start < starts; start++) {
    const folder = await mkdtemp(join(tmpdir(), 'whetstone-bench-'));
    const began = performance.now();
    const product = await startProduct({ folder });
    readySeconds.push((performance.now() - began) / 1000);
    await pause(settleMs);
    restingMegabytes.push(await residentMegabytes(product.target));
    await product.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return [
    { name: 'time to ready', value: median(readySeconds), unit: 's', goal: '≤ 3 s' },
    { name: 'memory at rest', value: median(restingMegabytes), unit: 'MB', goal: '≤ 250 MB' },
  ];
}
