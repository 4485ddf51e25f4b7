/** Two ways to deal with the same text, one right after the other, so that what else the machine does hits both alike. */
export async function takeTurns(
  measured: (text: string) => Promise<unknown>,
  baseline: (text: string) => Promise<unknown>,
  texts: string[],
): Promise<{ measuredMs: number[]; baselineMs: number[] }> {
  const measuredMs: number[] = [];
  const baselineMs: number[] = [];
  for (const text of texts) {
    baselineMs.push(await timed(() => baseline(text)));
    measuredMs.push(await timed(() => measured(text)));
  }
  return { measuredMs, baselineMs };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
