const lineWidth = 400;

/** At most `max` characters, ending with an ellipsis if cut. Never splits a surrogate pair. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${withoutCutPair(text.slice(0, max - 1)).trimEnd()}…`;
}

/** Like `clip`, but prefers to cut at a nearby line end. */
export function clipAtLine(text: string, max: number): string {
  const end = text.length <= max ? -1 : text.lastIndexOf('\n', max - 2);
  return end < max / 2 ? clip(text, max) : `${text.slice(0, end).trimEnd()}\n…`;
}

/** Collapses white space. Only for text of bounded length. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const spaced = `${unspaced}\\p{Script=Hangul}`;
/** Spares the closer look at most texts. */
const mayBeSpaced = /[\u0e00-\ud7ff]/;
const betweenScripts = new RegExp(`(?<=[${spaced}])(?=[\\w@#])|(?<=\\w)(?=[${spaced}])`, 'gu');
const unspacedRun = new RegExp(`[${unspaced}]+`, 'gu');

/** Puts a space where another script meets a number, an id or a Latin word: `顧客17の` has the number 17. */
export function separateScripts(text: string): string {
  return mayBeSpaced.test(text) ? text.replace(betweenScripts, ' ') : text;
}

let segmenter: Intl.Segmenter | undefined;

/** The same, and between the words of a script that has no spaces. */
export function separateWords(text: string): string {
  return separateScripts(text).replace(unspacedRun, (run) => {
    segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
    return [...segmenter.segment(run)].map(({ segment }) => segment).join(' ');
  });
}

/** Start and end of a long text, where results usually state their outcome. */
export function headAndTail(text: string, head: number, tail: number): string {
  if (text.length <= head + tail) return text;
  return `${withoutCutPair(text.slice(0, head))}\n${text.slice(-tail)}`;
}

/** Non-empty lines, each bounded, at most `limit` from either end. */
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
 * Invisible or reordering characters: control, format (bidi, tags, zero width, soft hyphen), private and unassigned ones,
 * variation selectors, fillers. Excludes white space.
 */
const invisible = /\ufeff|(?!\s)[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Invisible characters may precede visible ones. */
const readPerVisible = 4;
const readAtLeast = 2_000;

/** Makes environment output safe to quote: one bounded line without invisible or deceptive characters. */
export function asData(text: string, max: number): string {
  const read = text.slice(0, Math.max(readAtLeast, max * readPerVisible));
  // Normalising can produce invisible characters, and removing these lets others combine.
  const plain = (part: string) =>
    part.replace(invisible, '').normalize('NFKC').replace(invisible, '').normalize('NFKC');
  // NFKC would turn our own ellipsis into three dots.
  return clip(oneLine(read.split('…').map(plain).join('…')), max);
}

function withoutCutPair(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

const loneSurrogate = /\p{Surrogate}/gu;

/** Removes lone surrogates from all strings in a value; they cannot be encoded as UTF-8. */
export function withoutLoneSurrogates<Value>(value: Value): Value {
  return whole(value) as Value;
}

function whole(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(loneSurrogate, '');
  if (Array.isArray(value)) return value.map(whole);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, whole(item)]));
}

/** Long runs are read at the start, where they are set up, and at the end, where they are decided. */
export const turnsRead = { first: 200, last: 600 };

export function bothEnds<Turn>(turns: readonly Turn[]): readonly Turn[] {
  const { first, last } = turnsRead;
  return turns.length <= first + last ? turns : [...turns.slice(0, first), ...turns.slice(-last)];
}
