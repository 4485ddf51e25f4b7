import { constants, setPriority } from 'node:os';

/**
 * Lets all other threads of the machine go before the calling one. On Linux each thread is scheduled by itself; elsewhere this
 * would slow down the whole process, so there it does nothing. A tenth of a core is left to it however busy the others are.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Somebody may have forbidden it; then the thread works as any other does.
  }
}
