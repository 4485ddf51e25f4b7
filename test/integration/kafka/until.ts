import { eventually } from '../../support/eventually.js';

/** Waits for a condition; by default long enough for a broker to come back after kill −9. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 180_000,
): Promise<void> {
  await eventually(async () => (await condition()) || undefined, { what, withinMs });
}
