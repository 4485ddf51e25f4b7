/** A range of a text; `to` is exclusive. */
export interface Span {
  from: number;
  to: number;
}

interface Group {
  /** Start positions of its alternatives, in order. */
  starts: number[];
}

/**
 * What can be deleted from a regular expression so that one alternative of one of its groups is gone: the alternative and the bar
 * before it, or for the first one the bar behind it. Of a part of an expression, only groups that are whole.
 *
 * @param backslash how the source writes one: twice inside of a string
 */
export function alternativesOf(pattern: string, backslash = '\\'): Span[] {
  const spans: Span[] = [];
  const open: Group[] = [{ starts: [0] }];
  let classes = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (pattern.startsWith(backslash, at)) at += backslash.length;
    else if (character === '[') classes++;
    else if (character === ']' && classes > 0) classes--;
    else if (classes > 0) continue;
    else if (character === '(') open.push({ starts: [at + 1 + headOf(pattern, at + 1)] });
    else if (character === ')' && open.length === 1) return spans;
    else if (character === ')') spans.push(...deletions(open.pop() as Group, at));
    else if (character === '|') open.at(-1)?.starts.push(at + 1);
  }
  if (open.length === 1) spans.push(...deletions(open[0] as Group, pattern.length));
  return spans;
}

/** `?:`, `?<name>`, `?!` and the like belong to the group, not to its first alternative. */
function headOf(pattern: string, at: number): number {
  return /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(pattern.slice(at, at + 40))?.[0].length ?? 0;
}

function deletions({ starts }: Group, end: number): Span[] {
  if (starts.length < 2) return [];
  return starts.map((from, index) => {
    const next = starts[index + 1];
    if (index === 0) return { from, to: next as number };
    return { from: from - 1, to: next === undefined ? end : next - 1 };
  });
}

/** The same for a list in a string: each entry with one separator. */
export function entriesOf(list: string, separator: string): Span[] {
  const entries: Span[] = [];
  let from = 0;
  for (const entry of list.split(separator)) {
    if (entry.trim() !== '') entries.push({ from, to: from + entry.length });
    from += entry.length + separator.length;
  }
  if (entries.length < 2) return [];
  return entries.map((entry, index) => {
    const next = entries[index + 1];
    return next ? { from: entry.from, to: next.from } : { from: (entries[index - 1] as Span).to, to: entry.to };
  });
}
