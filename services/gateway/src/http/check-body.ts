import type { Checked, Problem } from '@whetstone/contracts';

import { readJson } from './read-json.js';
import { invalid } from './refusal.js';

/** What a body says, as its schema wants it, or a Refusal with 422 that tells every problem at once, those of the headers first. */
export function checkBody<Body>(
  bytes: Buffer,
  check: (value: unknown) => Checked<Body>,
  headerProblems: Problem[] = [],
): Body {
  const { value, problems } = readJson(bytes);
  const checked = check(value);
  const all = [...headerProblems, ...problems, ...(checked.problems ?? [])];
  if (checked.problems || all.length > 0) throw invalid(all);
  return checked.body;
}
