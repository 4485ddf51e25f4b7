import type { InsightKind } from '@whetstone/contracts';

/** The lines around recommendations. Fixed: agents and uploads are searched for them. */
export const openingLine = '--- Recommendations from past runs ---';
export const closingLine = '--- End of recommendations ---';

/** Labels of recommendations: `[what worked · 3 runs]`. */
export const kindLabels: Record<InsightKind, string> = {
  strategy: 'what worked',
  pitfall: 'avoid',
  recovery: 'recovered',
};

/** Labels of the detail lines of a recommendation. */
export const detailLabels = {
  task: 'Task:',
  when: 'When:',
  notWhen: 'Not when:',
  steps: 'Steps:',
  example: 'Example:',
  failed: 'What failed:',
} as const;

/** Text and search key of lessons about output format, which apply to every task. */
export const formatAdvice = 'Send the bare action and nothing else: the environment runs it as is.';

/** In place of a head, on what a person wrote. */
export const teamHead = '[from your team]';

/** `[what worked · 3 runs]`; with `orMore`, if some runs were not counted, `[what worked · 40+ runs]`. */
export function headOf(kind: InsightKind, support: number, orMore = false): string {
  return `[${kindLabels[kind]} · ${support}${orMore ? '+' : ''} ${support === 1 && !orMore ? 'run' : 'runs'}]`;
}

/*
 * Marks as agents repeat them: in another case, escaped for JSON, with typographic dashes. All repetitions are bounded and a row
 * of dashes is only matched from its start, so searching takes linear time.
 */
export const delimiters =
  /(?<![-\u2010-\u2015\u2212])[-\u2010-\u2015\u2212]{1,200}[ \t]{0,4}(?:(?<opening>Recommendations\s{1,4}from\s{1,4}past\s{1,4}runs)|(?<closing>End\s{1,4}of\s{1,4}recommendations))[ \t]{0,4}[-\u2010-\u2015\u2212]{1,12}/gi;
const support = '[ \\t]{0,4}(?:[·•∙⋅*|,-]|\\\\{1,4}u00b7)[ \\t]{0,4}\\d{1,9}\\+? runs?';
const label = `(?:${Object.values(kindLabels).join('|')})${support}|${teamHead.slice(1, -1)}`;
const head = `\\\\{0,2}\\[(?:${label})\\\\{0,2}\\]`;
const heads = new RegExp(head, 'gi');
const numberedHead = new RegExp(`(?:\\d{1,3}[.)][ \\t]{0,4})?${head}`, 'i');

/** Index of the first recommendation, including its number. */
export function headAt(text: string): number | undefined {
  return numberedHead.exec(text)?.index;
}

export function withoutHeads(text: string): string {
  return text.replace(heads, '');
}

/** Removes marks from learnt text, which could otherwise end the block early or claim support it does not have. */
export function withoutAdviceMarks(text: string): string {
  return withoutHeads(
    text.replace(delimiters, (_mark, opening?: string, closing?: string) => opening ?? closing ?? ''),
  );
}
