/** The two lines between which recommendations stand. Fixed: agents and uploads are searched for them. */
export const openingLine = '--- Recommendations from past runs ---';
export const closingLine = '--- End of recommendations ---';

/**
 * The text without what Whetstone put into it earlier: advice must not be learnt again as if it were evidence.
 * A block whose end is missing (the text was cut) goes up to the end of the text.
 */
export function withoutInjectedText(text: string): string {
  let start = text.indexOf(openingLine);
  if (start < 0) return text;

  const kept: string[] = [];
  let from = 0;
  while (start >= 0) {
    kept.push(text.slice(from, start).trimEnd());
    const end = text.indexOf(closingLine, start);
    if (end < 0) return kept.join('\n').trim();
    from = end + closingLine.length;
    start = text.indexOf(openingLine, from);
  }
  kept.push(text.slice(from));
  return kept.join('\n').trim();
}

/** What learnt text must not contain, or it could end the block early and speak as the task itself. */
export function withoutDelimiters(text: string): string {
  return text
    .replaceAll(openingLine, 'Recommendations from past runs')
    .replaceAll(closingLine, 'End of recommendations');
}
