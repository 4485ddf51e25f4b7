/** The lines around recommendations, as the server writes them. */
export const openingLine = '--- Recommendations from past runs ---';
export const closingLine = '--- End of recommendations ---';

/** Takes recommendations out, with the blank lines before them: what Whetstone said is not what the agent did. Also inside JSON. */
export function withoutAdvice(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const opening = text.indexOf(openingLine, from);
    const closing = opening < 0 ? -1 : text.indexOf(closingLine, opening);
    if (closing < 0) break;
    kept.push(withoutBlankEnd(text.slice(from, opening)));
    from = closing + closingLine.length;
  }
  return from === 0 ? text : kept.join('') + text.slice(from);
}

function withoutBlankEnd(text: string): string {
  let end = text.length;
  for (;;) {
    if (' \t\r\n'.includes(text.charAt(end - 1)) && end > 0) end -= 1;
    else if (text.endsWith('\\n', end)) end -= 2;
    else return text.slice(0, end);
  }
}
