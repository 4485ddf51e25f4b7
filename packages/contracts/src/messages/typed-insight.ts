import type { Insight, InsightScope } from './insight.js';

type TypedField = 'scope' | 'rule' | 'actions' | 'effects';

/** An insight as stored, possibly by a version that did not record scope, rule, actions and effects. */
export type StoredInsight = Omit<Insight, TypedField> & Partial<Pick<Insight, TypedField>>;

export type ReadExample = (example: string) => Pick<Insight, 'actions' | 'effects'>;

/** The rule of insights whose row names none. */
export const oldRule = 'old';

const formatTitle = 'Send the bare action, without';
const formatCondition = 'the environment executes the decision as it stands';
const taskCondition = 'tasks like “';

/**
 * Completes an insight of an earlier version: infers its scope from the wording of that version's rules. The effects of its
 * example stay unknown unless `read` is given, as it is when reindexing.
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
  // A recovery is about an error; a pitfall is if it quotes one.
  const quotes = `${title}${appliesWhen}`.includes('“');
  return kind === 'recovery' || (kind === 'pitfall' && quotes) ? 'error' : 'task';
}
