const lineWidth = 400;

/** At most `max` characters; what was cut shows as an ellipsis. Never splits a surrogate pair. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${wholeCharacters(text.slice(0, max - 1)).trimEnd()}…`;
}

/** The same, cut at the end of a line where one is near. */
export function clipAtLine(text: string, max: number): string {
  const end = text.length <= max ? -1 : text.lastIndexOf('\n', max - 2);
  return end < max / 2 ? clip(text, max) : `${text.slice(0, end).trimEnd()}\n…`;
}

/** White space of every kind becomes one space. Only for text that is already bounded. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The beginning and the end of a long text: what a result says is almost always in one of them. */
export function headAndTail(text: string, head: number, tail: number): string {
  if (text.length <= head + tail) return text;
  return `${wholeCharacters(text.slice(0, head))}\n${text.slice(-tail)}`;
}

/** Lines that say something, each bounded, at most `limit` of them from either end. */
export function linesOf(text: string, limit: number): string[] {
  const lines = text
    .split('\n')
    .map((line) => line.slice(0, lineWidth).trim())
    .filter((line) => line !== '');
  return lines.length <= 2 * limit ? lines : [...lines.slice(0, limit), ...lines.slice(-limit)];
}

/** "a, b and c" */
export function listed(items: readonly string[], conjunction = 'and'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;
}

/**
 * What shows nothing, or makes other characters show elsewhere: control, format (bidi, tags, zero width, soft hyphen), private
 * and unassigned ones, variation selectors, fillers. White space is none of them.
 */
const unseen = /\ufeff|(?!\s)[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Unseen characters may fill a text before anything that is seen. */
const readPerShown = 4;
const readAtLeast = 2_000;

/** What the environment wrote, made fit for quoting: one bounded line of characters that are what they look like. */
export function asData(text: string, max: number): string {
  const read = text.slice(0, Math.max(readAtLeast, max * readPerShown));
  // Some characters turn into unseen ones, and taking unseen ones out lets others combine.
  const plain = (part: string) => part.replace(unseen, '').normalize('NFKC').replace(unseen, '').normalize('NFKC');
  // An ellipsis is ours: it stands where something was left out.
  return clip(oneLine(read.split('…').map(plain).join('…')), max);
}

function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

const half = /\p{Surrogate}/gu;

/**
 * The same value without halves of characters in its texts: where a text is cut between the two halves of one, what is left is no
 * text to whoever has to write it as UTF-8.
 */
export function withWholeCharacters<Value>(value: Value): Value {
  return whole(value) as Value;
}

function whole(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(half, '');
  if (Array.isArray(value)) return value.map(whole);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, whole(item)]));
}

/** Of a run with more turns, the beginning and the end are read: there it was set up, and there it was decided. */
export const turnsRead = { first: 200, last: 600 };

export function bothEnds<Turn>(turns: readonly Turn[]): readonly Turn[] {
  const { first, last } = turnsRead;
  return turns.length <= first + last ? turns : [...turns.slice(0, first), ...turns.slice(-last)];
}
