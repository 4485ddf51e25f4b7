import type { Insight, InsightScope } from './insight.js';

type TypedField = 'scope' | 'rule' | 'actions' | 'effects';

/** An insight as a row or an earlier version may have it: made before lessons said what they are about and what they do. */
export type StoredInsight = Omit<Insight, TypedField> & Partial<Pick<Insight, TypedField>>;

/** Says what an example does. */
export type ReadExample = (example: string) => Pick<Insight, 'actions' | 'effects'>;

/** The rule of every insight whose row does not say which one made it. */
export const oldRule = 'old';

const formatTitle = 'Send the bare action, without';
const formatCondition = 'the environment executes the decision as it stands';
const taskCondition = 'tasks like “';

/**
 * An insight with everything that choices are made by. One from before is read as what it was, by the words that rules used
 * then, and what its example does cannot be told; reindexing writes it anew, with a reader of examples where there is one.
 */
export function typedInsight(stored: StoredInsight, read?: ReadExample): Insight {
  const insight = isTyped(stored) ? stored : asItWas(stored);
  if (!read || insight.rule !== oldRule || insight.example === undefined) return insight;
  return { ...insight, ...read(insight.example) };
}

function isTyped(stored: StoredInsight): stored is Insight {
  return stored.scope !== undefined && stored.rule !== undefined;
}

function asItWas(stored: StoredInsight): Insight {
  const effects = stored.example === undefined ? [] : ['unreadable' as const];
  return { ...stored, scope: scopeOf(stored), rule: oldRule, actions: [], effects };
}

function scopeOf({ kind, title, appliesWhen = '' }: StoredInsight): InsightScope {
  if (title.startsWith(formatTitle) || appliesWhen === formatCondition) return 'format';
  if (appliesWhen.startsWith(taskCondition)) return 'task';
  // A pitfall is about an error where it quotes one; a recovery is the way out of one.
  const quotes = `${title}${appliesWhen}`.includes('“');
  return kind === 'recovery' || (kind === 'pitfall' && quotes) ? 'error' : 'task';
}
