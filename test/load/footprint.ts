import type { Target } from '../support/target.js';

/** What the product itself reports. */
export async function residentMegabytes({ opsUrl }: Target): Promise<number> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(metrics) ?? [];
  return Number(bytes) / 1e6;
}
