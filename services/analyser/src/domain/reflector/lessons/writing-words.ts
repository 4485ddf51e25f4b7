import { listed } from '../bounded-text.js';
import { agreedChanges, isConsent } from '../consent.js';
import { lackedThings, namesThing } from '../conversation.js';
import type { Step } from '../read-steps.js';
import type { RunReading } from '../run-reading.js';
import { sourcesOf, type ValueSource } from '../value-sources.js';
import { counted, fittingTitle, inOrder, named } from './tool-names.js';
import type { ToolWords } from './tool-strategy.js';

/** What was looked up, what was agreed, what was called, and where its values came from. */
export function writingWords(run: RunReading, calls: readonly Step[], writes: readonly Step[]): ToolWords {
  const [firstWrite] = writes;
  const before = firstWrite ? run.deeds.slice(0, run.deeds.indexOf(firstWrite)) : [];
  const clean = new Set(calls);
  const looks = before.filter((step) => clean.has(step));
  const agreed = agreedChanges(run.deeds);
  const consent = writes.find((write) => agreed.has(write));
  const told = consent ? toldBefore(run, consent) : '';
  const content = [
    looks.length > 0
      ? `Read the records first (${named(looks)})${consent ? `, tell the user ${told}, wait for a yes, and only then` : ', then'} call ${counted(writes)}.`
      : directWords(writes, consent !== undefined),
    ...sourceWords(run, writes),
  ];
  return { title: orderOf(looks, consent !== undefined, writes), content: content.join(' ') };
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

/** Where the values of the writes came from: “`find_member` gives `card_id`, which the user did not know, and `branch`.” */
function sourceWords({ deeds, intent }: RunReading, writes: readonly Step[]): string[] {
  const tools = new Map<string, Map<string, string>>();
  const seen = new Set<string>();
  for (const write of writes.slice(0, 8)) {
    const before = deeds.slice(0, deeds.indexOf(write));
    for (const source of sourcesOf(write, before, intent)) {
      const args = tools.get(source.look.action.name) ?? new Map<string, string>();
      for (const arg of source.args.filter((name) => !seen.has(name))) {
        args.set(arg, `\`${arg}\`${wasLacked(source, arg, before) ? ' (which the user did not know)' : ''}`);
        seen.add(arg);
      }
      if (args.size > 0) tools.set(source.look.action.name, args);
    }
  }
  const told = [...tools]
    .slice(0, 3)
    .map(([tool, args]) => `\`${tool}\` gives ${listed([...args.values()].slice(0, 4))}`);
  return told.length === 0 ? [] : [`${told.join(', ')}.`];
}

/** The agent had asked for it by name, the user had not got it, and then the look-up came. */
function wasLacked({ look }: ValueSource, arg: string, before: readonly Step[]): boolean {
  const lacked = before.slice(0, before.indexOf(look)).map(lackedThings);
  return lacked.some((things) => namesThing(arg, things));
}
