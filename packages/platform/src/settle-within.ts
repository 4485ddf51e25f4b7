export type Settled = { status: 'fulfilled' } | { status: 'rejected'; reason: unknown } | { status: 'late' };

/** How the work ended, or `late` where it has not after `timeoutMs`; never rejects. */
export async function settleWithin(work: Promise<unknown>, timeoutMs: number): Promise<Settled> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Settled>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, { status: 'late' });
  });
  const ended = work.then(
    (): Settled => ({ status: 'fulfilled' }),
    (reason: unknown): Settled => ({ status: 'rejected', reason }),
  );
  try {
    return await Promise.race([ended, late]);
  } finally {
    clearTimeout(timer);
  }
}
