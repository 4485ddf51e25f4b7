const patienceMs = 120_000;

/** Waits for a condition by checking it again and again: a busy machine is not a failure. */
export async function eventually(condition: () => boolean | Promise<boolean>, what = 'a condition'): Promise<void> {
  const giveUpAt = Date.now() + patienceMs;
  for (let waitMs = 1; !(await condition()); waitMs = Math.min(waitMs * 2, 50)) {
    if (Date.now() > giveUpAt) throw new Error(`Waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
