import { type FetchOptions, fetchOnce } from '../fetch-once.js';
import { goProgramIn } from '../go/go-program.js';
import { findHelm } from '../prerequisites.js';
import { chartPrograms } from './chart-programs.js';

/** The machine's own, where it is new enough; otherwise a fetched one. */
export async function helm(options: FetchOptions = {}): Promise<string> {
  const own = await findHelm();
  return own?.command ?? goProgramIn(await fetchOnce(await chartPrograms.helm(), options), 'helm');
}
