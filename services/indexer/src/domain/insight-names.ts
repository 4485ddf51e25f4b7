import { hash } from 'node:crypto';
import type { Insight, RunShape } from '@whetstone/contracts';

interface Named {
  insight: Insight;
  run: Pick<RunShape, 'outcome' | 'judged' | 'changes'>;
  intent: string;
  agentType?: string | undefined;
}

const lengths = { lesson: 16, variant: 8, task: 8 };
const pattern = /^[\w-]{16}\.[\w-]{8}\.[\w-]{8}$/;

/**
 * `<lesson>.<variant>.<task>`: insights of one name are interchangeable in every answer, so that one can stand for all.
 * `lesson` is what is recommended, however it is spelt; `variant` is the spelling and the kind of run; `task` is the
 * intent, whatever its case, spacing and punctuation.
 */
export function nameOfInsight({ insight, run, intent, agentType }: Named): string {
  const { evidence: _, appliesWhen: __, ...said } = insight;
  const changes = [...new Set(run.changes)].sort();
  const variant = [canonical(said), run.outcome, run.judged, changes, agentType ?? null];
  const task = taskOf(intent);
  return [
    digest(lessonOf(insight, task), lengths.lesson),
    digest(JSON.stringify(variant), lengths.variant),
    digest(task, lengths.task),
  ].join('.');
}

export function isInsightName(text: string): boolean {
  return pattern.test(text);
}

/** The lesson that an insight belongs to: the first part of its name. */
export function lessonIdOf(name: string): string {
  return name.slice(0, lengths.lesson);
}

export function isLessonId(text: string): boolean {
  return /^[\w-]{16}$/.test(text);
}

/** How votes refer to all insights of a name. */
export function voteNameOf(name: string): string {
  return insightNameOf({ jobId: name, ordinal: consolidatedOrdinal });
}

/** The name of one row in votes of an earlier version: by the parts of its id that stay the same across attempts. */
export function insightNameOf({ jobId, ordinal }: { jobId: string; ordinal: number }): string {
  return `${jobId}/${ordinal}`;
}

/** A consolidated insight has its name in the place of a job. */
export const consolidatedOrdinal = 1;

/** The rule of insights that people write. */
export const personRule = 'person';

/** Equal for insights that an answer folds into one lesson. What a person writes is never one with what was learnt. */
function lessonOf({ kind, polarity, rule, errorClass, example, content, actions }: Insight, task: string): string {
  const side = kind === 'pitfall' ? 'avoid' : polarity;
  if (rule === personRule) return JSON.stringify([side, rule, content]);
  if (actions.length > 0) return JSON.stringify([side, ...actions]);
  const subject = example ?? errorClass ?? (rule === 'model' ? content : task);
  return JSON.stringify([side, rule, errorClass ?? null, subject]);
}

function taskOf(intent: string): string {
  const words = intent
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[.,;:!?]+(?=\s|$)/g, '');
  return words.replace(/\s+/g, ' ').trim();
}

/** Keys in order: rows of different versions list them differently. */
function canonical(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function digest(text: string, length: number): string {
  return hash('sha256', text, 'base64url').slice(0, length);
}
