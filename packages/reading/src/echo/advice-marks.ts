import type { InsightKind } from '@whetstone/contracts';

/** The two lines between which recommendations stand. Fixed: agents and uploads are searched for them. */
export const openingLine = '--- Recommendations from past runs ---';
export const closingLine = '--- End of recommendations ---';

/** How a recommendation of each kind begins: `[what worked · 3 runs]`. */
export const kindLabels: Record<InsightKind, string> = {
  strategy: 'what worked',
  pitfall: 'avoid',
  recovery: 'recovered',
};

/** What the second and further lines of a recommendation begin with. */
export const detailLabels = {
  task: 'Task:',
  when: 'When:',
  notWhen: 'Not when:',
  steps: 'Steps:',
  example: 'Example:',
  failed: 'What failed:',
} as const;

/** What a lesson about the form of decisions says, and what it is found by: the form hits every task alike. */
export const formatAdvice =
  'Send the bare action and nothing else: the environment executes the decision as it stands.';

/** `[what worked · 3 runs]`; with `orMore`, where there may be runs that were not counted, `[what worked · 40+ runs]`. */
export function headOf(kind: InsightKind, support: number, orMore = false): string {
  return `[${kindLabels[kind]} · ${support}${orMore ? '+' : ''} ${support === 1 && !orMore ? 'run' : 'runs'}]`;
}

/*
 * The same marks as agents carry them on: in another case, escaped for JSON or HTML, with the dashes of a typographer, and with
 * Markdown around them. Every repetition is bounded, so that a search takes linear time whatever the text is.
 */
const dash = '(?:[-\\u2010-\\u2015\\u2212]|\\\\-|&[mn]dash;|\\\\{1,4}u201[0-5])';
const gap = '(?:[ \\t\\u00a0]|&nbsp;){1,4}';
const labels = Object.values(kindLabels).join('|');
const dot = '(?:[·•∙⋅*|,-]|&middot;|&#183;|&#xb7;|\\\\{1,4}u00b7)';

/** Looked for where a row of dashes begins, or a long one would be gone through from each of its dashes. */
const rule = `(?<![-\\u2010-\\u2015\\u2212])${dash}{1,200}`;

export const openingPattern = `${rule}[ \\t]{0,4}Recommendations${gap}from${gap}past${gap}runs[ \\t]{0,4}${dash}{1,12}`;
export const closingPattern = `${rule}[ \\t]{0,4}End${gap}of${gap}recommendations[ \\t]{0,4}${dash}{1,12}`;
export const headPattern = `\\\\{0,2}(?:\\[|&#91;)(?:${labels})[ \\t]{0,4}${dot}[ \\t]{0,4}\\d{1,9}\\+? runs?\\\\{0,2}(?:\\]|&#93;)`;

const delimiters = new RegExp(`${openingPattern}|${closingPattern}`, 'gi');
const heads = new RegExp(headPattern, 'gi');

/** What learnt text must not contain, or it could end the block early and speak as the task itself, or with another's support. */
export function withoutMarks(text: string): string {
  return text
    .replace(delimiters, (mark) => mark.replace(new RegExp(`^${dash}+\\s*|\\s*${dash}+$`, 'g'), ''))
    .replace(heads, '');
}
