import { listed } from '../bounded-text.js';
import type { Step } from '../read-steps.js';
import { sourcesOf, type ValueSource } from '../records/value-sources.js';
import type { RunReading } from '../run-reading.js';
import { agreedChanges, isConsent } from '../talk/consent.js';
import { lackedThings, namesThing } from '../talk/conversation.js';
import { recordNotes } from './record-notes.js';
import { counted, fittingTitle, inOrder, named, type ToolWords } from './tool-words.js';

const shownLooks = 4;
const contentChars = 420;

/** What was looked up and for what, what was agreed, and what was called. */
export function writingWords(run: RunReading, calls: readonly Step[], writes: readonly Step[]): ToolWords {
  const last = writes.at(-1);
  const clean = new Set(calls);
  const before = last ? run.deeds.slice(0, run.deeds.indexOf(last)) : [];
  const looks = before.filter((step) => clean.has(step) && step.role !== 'change');
  const agreed = agreedChanges(run.deeds);
  const consent = writes.find((write) => agreed.has(write));
  return {
    title: orderOf(looks, consent !== undefined, writes),
    content: looks.length > 0 ? lookedUpWords(run, looks, writes, consent) : directWords(writes, consent !== undefined),
  };
}

function lookedUpWords(run: RunReading, looks: readonly Step[], writes: readonly Step[], consent?: Step): string {
  const talks = run.deeds.some(({ action }) => action.kind === 'reply');
  const when = consent
    ? `Tell the user ${toldBefore(run, consent)}, wait for a yes, and only then`
    : talks
      ? 'When the user has said just what is wanted,'
      : 'Then';
  const [bare, ...reasoned] = looksWithReasons(run, looks, writes).reverse();
  const [called, plainlyCalled] = [counted(writes, recordNotes(run.deeds, writes)), counted(writes)];
  return fittingContent([
    ...[...reasoned, bare].map((first) => `Read the records first: ${first}. ${when} call ${called}.`),
    `Read the records first: ${bare}. ${when} call ${plainlyCalled}.`,
  ]);
}

/** The fullest that an answer has room for. */
function fittingContent(contents: readonly string[]): string {
  return contents.find((content) => content.length <= contentChars) ?? contents.at(-1) ?? '';
}

/** Look-ups go first where it is too long: what is called is the lesson. */
function orderOf(looks: readonly Step[], consent: boolean, writes: readonly Step[]): string {
  const yes = consent ? ["get the user's yes"] : [];
  const titles = [4, 3, 2, 1].map((most) =>
    inOrder([...(looks.length > 0 ? [`look up with ${named(looks, most)}`] : []), ...yes, `call ${named(writes)}`]),
  );
  const short = inOrder([...(looks.length > 0 ? ['look the case up'] : []), ...yes, `call ${named(writes)}`]);
  return fittingTitle([...titles, short, ...[4, 3, 2, 1].map((most) => `Call ${named(writes, most)}`)]);
}

function directWords(writes: readonly Step[], consent: boolean): string {
  const [only] = writes;
  const agreed = consent ? ' after the user had agreed,' : '';
  const given = only ? Object.keys(only.action.args).filter((key) => key !== 'argument') : [];
  if (writes.length === 1 && given.length > 0)
    return `One call did it:${agreed} ${named(writes)} with ${listed(given.map((key) => `\`${key}\``))}.`;
  return `It took, in this order,${agreed} ${counted(writes)}.`;
}

const toldOf: readonly [RegExp, string][] = [
  [/[$€£¥] ?\d|\b\d[\d.,]* ?(?:usd|eur|gbp|dollars|euros|pounds|francs)\b/i, 'the amounts'],
  [/\b(?:payment|pay|paid|refund\w*|charg\w+|card|invoice\w*|debit\w*)\b/i, 'how it is paid or refunded'],
  [
    /\bonly (?:be \w+ )?once\b|\bcannot be (?:undone|reversed|changed again|taken back)\b|\b(?:no further|any further) changes\b/i,
    'that it cannot be done twice or undone',
  ],
];

/** What the user was told before the yes: the kinds of things, not the things. */
function toldBefore({ deeds }: RunReading, write: Step): string {
  const asked = deeds.slice(0, deeds.indexOf(write)).findLast(isConsent)?.action.text.slice(-3_000) ?? '';
  const told = toldOf.filter(([pattern]) => pattern.test(asked)).map(([, words]) => words);
  return listed(['what will be done', ...told]);
}

/**
 * “`find_member` (for `branch` and `card_id`, which the user did not know) and `get_loans`”, and the same without reasons. Of many, those
 * that gave nothing to the writes are left out first.
 */
function looksWithReasons(run: RunReading, looks: readonly Step[], writes: readonly Step[]): string[] {
  const given = givenBy(run, writes);
  const tools = [...new Set(looks.map(({ action }) => action.name))];
  const idle = tools.filter((tool) => !given.has(tool)).slice(Math.max(0, shownLooks - given.size));
  const shown = tools.filter((tool) => !idle.includes(tool)).slice(0, shownLooks);
  const reason = (tool: string) => {
    const args = given.get(tool) ?? [];
    return args.length === 0
      ? ''
      : ` (for ${listed([...args].sort((a, b) => Number(a.includes(' ')) - Number(b.includes(' '))).slice(0, 3))})`;
  };
  return [listed(shown.map((tool) => `\`${tool}\`${reason(tool)}`)), listed(shown.map((tool) => `\`${tool}\``))];
}

/** The arguments of the writes by the tool whose result showed their values. */
function givenBy({ deeds, intent }: RunReading, writes: readonly Step[]): Map<string, string[]> {
  const given = new Map<string, string[]>();
  const seen = new Set<string>();
  const lacked = deeds.map(lackedThings);
  for (const write of writes.slice(0, 8)) {
    const before = deeds.slice(0, deeds.indexOf(write));
    for (const source of sourcesOf(write, before, intent)) {
      const { name } = source.look.action;
      for (const arg of source.args.filter((known) => !seen.has(known))) {
        const wasLacked = lackedBefore(source).some((things) => namesThing(arg, things));
        given.set(name, [...(given.get(name) ?? []), `\`${arg}\`${wasLacked ? ', which the user did not know' : ''}`]);
        seen.add(arg);
      }
    }
  }
  return given;

  /** What the agent had asked for and the user had not got, before the look-up came. */
  function lackedBefore({ look }: ValueSource): Set<string>[] {
    return lacked.slice(0, deeds.indexOf(look)).filter(({ size }) => size > 0);
  }
}
