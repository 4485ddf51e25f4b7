import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../../support/eventually.js';
import type { SmallDisk } from '../systems/small-disk.js';
import type { Stage } from './run-scenario.js';

/** No room is left for a while. */
export async function fillDisk({ load }: Stage, disk: SmallDisk, forMs: number): Promise<void> {
  const refused = () => load.history.answers.get('store_knowledge 500') ?? 0;
  await load.more(10);
  await disk.fill();
  try {
    await eventually(() => refused() > 0 || undefined, { what: 'uploads are refused on a full disk' });
    await sleep(forMs);
  } finally {
    await disk.free();
  }
}
