import type { Interaction, RunTrail, TrailStep, Turn } from '@whetstone/contracts';
import { bothEnds, turnsRead } from '@whetstone/reading';

export interface TranscriptOptions {
  budgetTokens: number;
  /** Turns that went wrong: kept before others. */
  errorTurns: ReadonlySet<number>;
}

interface WrittenTurn {
  turn: number;
  /** Among all turns: several may bear one number. */
  place: number;
  text: string;
  tokens: number;
}

/** Kept whatever else has to go: how it was set up, and how it was decided. */
const alwaysKept = { first: 2, last: 4 };
/** Characters of one text: the most that is ever worth reading, and the least that still is. */
const fieldChars = { most: 60_000, least: 100 };
/** Texts as short as this may stay so where every turn that is needed fits. */
const shortChars = 300;
const taskShare = 0.3;
/** Before a text that is known: `user: `, `tool result: `. */
const roleChars = 20;
/** What stands between two turns: an empty line, or how many were left out. */
const gapTokens = 12;

/**
 * The run as a text for a model that reads only so much. Where it does not fit, long texts lose their middle first, then
 * turns are left out from the middle of the run: the first ones, those with errors and the last ones stay.
 */
export function writeTranscript(interaction: Interaction, { budgetTokens, errorTurns }: TranscriptOptions): string {
  const head = headOf(interaction, Math.floor(budgetTokens * taskShare));
  const room = budgetTokens - estimateTokens(head);
  const { turns } = interaction;
  const candidates = bothEnds(turns);
  const seen = candidates.map(({ inputs }, at) => newIn(inputs, candidates[at - 1], interaction.query));
  let written: WrittenTurn[] = [];
  for (const chars of lengthsUpTo(budgetTokens)) {
    written = candidates.map((turn, at) => writeTurn(turn, placeOf(at), seen[at] ?? '', chars));
    if (candidates.length === turns.length && tokensOf(written) <= room) return join(head, written, turns.length);
    if (chars <= shortChars && tokensOf(mostNeeded(written, errorTurns)) <= room) break;
  }
  return join(head, fill(written, errorTurns, room), turns.length);

  function placeOf(at: number): number {
    return at < turnsRead.first ? at : at + turns.length - candidates.length;
  }
}

/** From what the whole budget could hold down to the least, each less than half of the one before. */
function lengthsUpTo(budgetTokens: number): number[] {
  const lengths: number[] = [];
  for (
    let chars = Math.min(fieldChars.most, budgetTokens * 3);
    chars > fieldChars.least;
    chars = Math.floor(chars / 2.5)
  ) {
    lengths.push(chars);
  }
  return [...lengths, fieldChars.least];
}

function headOf({ query, agentType }: Interaction, tokens: number): string {
  const kind = agentType === undefined ? '' : `AGENT: ${excerpt(agentType, 100)}\n`;
  let task = clean(query, tokens * 3);
  for (let chars = tokens * 3; estimateTokens(task) > tokens && chars > 50; chars = Math.floor(chars / 2)) {
    task = excerpt(task, chars);
  }
  return `${kind}TASK: ${task}`;
}

/** What an agent sees is mostly what it got before, or all that it saw before and something more: once is enough. */
function newIn(inputs: string, before: Turn | undefined, query: string): string {
  const more = before && inputs.startsWith(before.inputs) ? inputs.slice(before.inputs.length) : inputs;
  const known = (before?.result ?? query).trim();
  const said = more.trim();
  return known !== '' && said.length <= known.length + roleChars && said.endsWith(known) ? '' : said;
}

function writeTurn(turn: Turn, place: number, seen: string, chars: number): WrittenTurn {
  const { decision, result } = turn;
  const saw = clean(seen, chars);
  const got = result === undefined ? '' : clean(result, chars);
  const text = [
    `TURN ${turn.turn}`,
    ...(saw === '' ? [] : [`SAW: ${saw}`]),
    `DID: ${clean(decision, chars)}`,
    ...(result === undefined ? [] : [`GOT: ${got === '' ? '(nothing)' : got}`]),
  ].join('\n');
  return { turn: turn.turn, place, text, tokens: estimateTokens(text) };
}

/** In the order in which they are wanted, as many as there is room for; back in the order of the run. */
function fill(written: readonly WrittenTurn[], errorTurns: ReadonlySet<number>, room: number): WrittenTurn[] {
  const needed = mostNeeded(written, errorTurns);
  const others = fromBothEnds(written.filter((turn) => !needed.includes(turn)));
  const kept = new Set<WrittenTurn>();
  let left = room - gapTokens;
  for (const turn of [...needed, ...others]) {
    const cost = turn.tokens + gapTokens;
    if (cost > left) continue;
    kept.add(turn);
    left -= cost;
  }
  return written.filter((turn) => kept.has(turn));
}

function mostNeeded(written: readonly WrittenTurn[], errorTurns: ReadonlySet<number>): WrittenTurn[] {
  const ends = [...written.slice(0, alwaysKept.first), ...written.slice(-alwaysKept.last).reverse()];
  const errors = fromBothEnds(written.filter(({ turn }) => errorTurns.has(turn)));
  return [...new Set([...ends, ...errors])];
}

/** First, last, second, last but one, … */
function fromBothEnds<Item>(items: readonly Item[]): Item[] {
  return items.map((_, at) => items[at % 2 === 0 ? at / 2 : items.length - (at + 1) / 2] as Item);
}

function join(head: string, kept: readonly WrittenTurn[], count: number): string {
  const parts = [head];
  let next = 0;
  for (const { place, text } of kept) {
    if (place > next) parts.push(leftOut(place - next));
    parts.push(text);
    next = place + 1;
  }
  if (count > next) parts.push(leftOut(count - next));
  return parts.join('\n\n');
}

function leftOut(count: number): string {
  return `(${count} ${count === 1 ? 'turn' : 'turns'} left out)`;
}

function clean(text: string, chars: number): string {
  return withoutControlTokens(excerpt(text, chars)).trim();
}

function excerpt(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const half = Math.max(1, Math.floor((chars - 5) / 2));
  // A half character at a cut is no text.
  return `${text.slice(0, half)} (…) ${text.slice(-half)}`.replace(/\p{Surrogate}/gu, '');
}

function tokensOf(written: readonly WrittenTurn[]): number {
  return written.reduce((sum, { tokens }) => sum + tokens + 1, 0);
}

/** What several runs did, as a text for a model that reads only so much: where it does not fit, steps in the middle go first. */
export function writeTrails(runs: readonly RunTrail[], budgetTokens: number): string {
  const room = Math.floor(budgetTokens / Math.max(1, runs.length));
  return runs.map((run, at) => writeTrail(run, `RUN ${at + 1}, ended in ${run.outcome}`, room)).join('\n\n');
}

function writeTrail({ steps }: RunTrail, head: string, room: number): string {
  const lines = steps.map(writeStep);
  for (let left = 0; ; left++) {
    const keptFirst = Math.ceil((lines.length - left) / 2);
    const gap = left === 0 ? [] : [`(${left} ${left === 1 ? 'step' : 'steps'} left out)`];
    const text = [head, ...lines.slice(0, keptFirst), ...gap, ...lines.slice(keptFirst + left)].join('\n');
    if (left === lines.length || estimateTokens(text) <= room) return text;
  }
}

function writeStep({ action, outcome, note }: TrailStep): string {
  const got = note === undefined ? [] : [`GOT${outcome === 'error' ? ' an error' : ''}: ${note}`];
  return withoutControlTokens([`DID: ${action}`, ...got].join('\n'));
}

/**
 * How chat templates mark turns and roles: `<|im_end|>`, `<｜User｜>`, `[INST]`, `<<SYS>>`, `<start_of_turn>`, `</s>`. Some
 * servers read these marks also where they stand in a text, and whoever writes the text then speaks for the system.
 */
const tag = /<[|｜]([^\s<>|｜]{1,60})[|｜]>|<{1,2}(\/?\w{1,20})>{1,2}|\[(\/?\w{1,20})\]/g;
const names = new Set(
  'inst sys available_tools tool_calls tool_results s system assistant start_of_turn end_of_turn bos eos pad unk think'.split(
    ' ',
  ),
);

/** The text with such marks spelled so that people recognise them and no server does. */
export function withoutControlTokens(text: string): string {
  return text.replace(tag, (whole, special?: string, angled?: string, bracketed?: string) => {
    const name = special ?? angled ?? bracketed ?? '';
    return special !== undefined || names.has(name.replace('/', '').toLowerCase()) ? `(${name})` : whole;
  });
}

/** Of English about four characters are a token, of code and JSON about three, of other scripts about one. */
const asciiPerToken = 3;

/** How many tokens a text is for most models, rather too many than too few. */
export function estimateTokens(text: string): number {
  let ascii = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 128) ascii++;
  return Math.ceil(ascii / asciiPerToken) + text.length - ascii;
}
