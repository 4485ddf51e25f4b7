const patienceMs = 180_000;

/** Waits for a condition by looking again and again: engines differ in how long they take, not in what happens. */
export async function eventually(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const giveUpAt = Date.now() + patienceMs;
  for (let waitMs = 1; !(await condition()); waitMs = Math.min(waitMs * 2, 100)) {
    if (Date.now() > giveUpAt) throw new Error(`Waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** Long enough for an event that should not come to come. */
export async function aWhile(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 250));
}
