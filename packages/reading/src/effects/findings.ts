import type { Effect } from '@whetstone/contracts';
import type { Executed } from '../actions/executed.js';

/** What reading one text found: its effects, and the texts that it hands on to be run. */
export interface Findings {
  effects: ReadonlySet<Effect>;
  executed: readonly Executed[];
}

export interface Found extends Findings {
  executed: Executed[];
  add(effect: Effect): void;
}

export function found(): Found {
  const effects = new Set<Effect>();
  return { effects, executed: [], add: (effect) => void effects.add(effect) };
}
