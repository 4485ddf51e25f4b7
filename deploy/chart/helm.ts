import { type FetchOptions, fetchOnce } from '../engines/fetch-once.js';
import { findHelm } from '../engines/prerequisites.js';
import { chartPrograms } from './chart-programs.js';
import { goProgramIn } from './go-program.js';

/** The machine's own, where it is new enough; otherwise a fetched one. */
export async function helm(options: FetchOptions = {}): Promise<string> {
  const own = await findHelm();
  return own?.command ?? goProgramIn(await fetchOnce(await chartPrograms.helm(), options), 'helm');
}
