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
export const formatAdvice = 'Send the bare action and nothing else: the environment runs it as is.';

/** `[what worked · 3 runs]`; with `orMore`, where there may be runs that were not counted, `[what worked · 40+ runs]`. */
export function headOf(kind: InsightKind, support: number, orMore = false): string {
  return `[${kindLabels[kind]} · ${support}${orMore ? '+' : ''} ${support === 1 && !orMore ? 'run' : 'runs'}]`;
}

/*
 * The same marks as agents carry them on: in another case, escaped for JSON, with the dashes of a typographer. Every repetition is
 * bounded, and a row of dashes is looked at from its first one only, so that a search takes linear time whatever the text is.
 */
export const delimiters =
  /(?<![-\u2010-\u2015\u2212])[-\u2010-\u2015\u2212]{1,200}[ \t]{0,4}(?:(?<opening>Recommendations\s{1,4}from\s{1,4}past\s{1,4}runs)|(?<closing>End\s{1,4}of\s{1,4}recommendations))[ \t]{0,4}[-\u2010-\u2015\u2212]{1,12}/gi;
const head = `\\\\{0,2}\\[(?:${Object.values(kindLabels).join('|')})[ \\t]{0,4}(?:[·•∙⋅*|,-]|\\\\{1,4}u00b7)[ \\t]{0,4}\\d{1,9}\\+? runs?\\\\{0,2}\\]`;
const heads = new RegExp(head, 'gi');
const numberedHead = new RegExp(`(?:\\d{1,3}[.)][ \\t]{0,4})?${head}`, 'i');

/** Where a recommendation begins in a text, its number included. */
export function headAt(text: string): number | undefined {
  return numberedHead.exec(text)?.index;
}

export function withoutHeads(text: string): string {
  return text.replace(heads, '');
}

/** What learnt text must not contain, or it could end the block early and speak as the task itself, or with another's support. */
export function withoutMarks(text: string): string {
  return withoutHeads(
    text.replace(delimiters, (_mark, opening?: string, closing?: string) => opening ?? closing ?? ''),
  );
}
