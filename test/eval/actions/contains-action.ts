/** Runs of white space count as one space: a long command may be broken into lines where it is shown. */
export function plainSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const opens = /[\s"'`“‘([{:=]/;
const closes = /[\s"'`”’)\]}.,;:]/;

/**
 * Whether a text shows an action: word for word, in the same case, as a whole. `ls -l` is not shown by `ls -la`, nor by
 * `/bin/ls -l`, but by `ls -l | wc -l`, since a text may go on after an action and one cannot tell.
 */
export function containsAction(text: string, action: string): boolean {
  const haystack = plainSpaces(text);
  const needle = plainSpaces(action);
  if (needle === '') return false;
  for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + 1)) {
    const before = haystack[at - 1];
    const after = haystack[at + needle.length];
    if ((before === undefined || opens.test(before)) && (after === undefined || closes.test(after))) return true;
  }
  return false;
}
