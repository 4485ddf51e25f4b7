import { getPriority, setPriority } from 'node:os';

/** A third of what others get while all cores are busy: enough for work with a time limit to end. */
export const loweredPriority = 5;

/**
 * Lets all other threads of the machine go before the calling one. On Linux each thread is scheduled by itself; elsewhere this
 * would slow down the whole process, so there it does nothing. False where it does nothing or is forbidden.
 */
export function lowerPriority(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    // Who was started with a lower one keeps it.
    setPriority(Math.max(getPriority(), loweredPriority));
    return true;
  } catch {
    return false;
  }
}
