import type { Action } from '../actions/action.js';
import { clipAtLine } from '../bounded-text.js';

export const exampleChars = 1_500;
const shortChars = 200;

/**
 * The actions as another attempt can reuse them: verbatim, several lines where they have them, bounded. Half a script is no
 * script: where they are too long together the short ones stay, and of the long ones the later that fit whole. Only where none
 * does, the last is cut.
 */
export function exampleOf(...actions: readonly Action[]): string {
  const texts = actions.map(({ text }) => text.trim());
  const fromLast = texts.filter((text) => text.length > shortChars).reverse();
  const shown = new Set<string>();
  let left = exampleChars + 1;
  for (const text of [...texts.filter((one) => one.length <= shortChars), ...fromLast]) {
    if (text.length >= left) continue;
    shown.add(text);
    left -= text.length + 1;
  }
  const cut = fromLast.some((text) => shown.has(text)) ? undefined : fromLast[0];
  return texts
    .flatMap((text) => (shown.has(text) ? [text] : text === cut ? [clipAtLine(text, left - 1)] : []))
    .join('\n');
}
