import type { Interaction, RunTrail, TrailStep, Turn } from '@whetstone/contracts';
import { bothEnds, turnsRead } from '@whetstone/reading';

interface TranscriptOptions {
  budgetTokens: number;
  /** Turns with errors, which are kept before others. */
  errorTurns: ReadonlySet<number>;
}

interface WrittenTurn {
  turn: number;
  /** Index among all turns; turn numbers may repeat. */
  place: number;
  text: string;
  tokens: number;
}

/** Always kept: the setup and the end. */
const alwaysKept = { first: 2, last: 4 };
/** Length limits of one text. */
const fieldChars = { max: 60_000, min: 100 };
/** Texts are not shortened further than this if all essential turns fit. */
const shortChars = 300;
const taskShare = 0.3;
/** Maximum length of a role label such as `tool result: `. */
const roleChars = 20;
/** For the gap between turns: an empty line, or the number of turns left out. */
const gapTokens = 12;

/**
 * The run as text within the token budget of a model. Long texts lose their middle first; then turns are left out from
 * the middle of the run, keeping the first ones, those with errors and the last ones.
 */
export function writeTranscript(interaction: Interaction, { budgetTokens, errorTurns }: TranscriptOptions): string {
  const head = headOf(interaction, Math.floor(budgetTokens * taskShare));
  const room = budgetTokens - estimateTokens(head);
  const { turns } = interaction;
  const candidates = bothEnds(turns);
  const seen = candidates.map(({ inputs }, at) => newPartOf(inputs, candidates[at - 1], interaction.query));
  let written: WrittenTurn[] = [];
  for (const chars of lengthsUpTo(budgetTokens)) {
    written = candidates.map((turn, at) => writeTurn(turn, placeOf(at), seen[at] ?? '', chars));
    if (candidates.length === turns.length && tokensOf(written) <= room) return join(head, written, turns.length);
    if (chars <= shortChars && tokensOf(essentialTurns(written, errorTurns)) <= room) break;
  }
  return join(head, fill(written, errorTurns, room), turns.length);

  function placeOf(at: number): number {
    return at < turnsRead.first ? at : at + turns.length - candidates.length;
  }
}

/** Text lengths to try, from the whole budget down to the minimum. */
function lengthsUpTo(budgetTokens: number): number[] {
  const lengths: number[] = [];
  for (
    let chars = Math.min(fieldChars.max, budgetTokens * 3);
    chars > fieldChars.min;
    chars = Math.floor(chars / 2.5)
  ) {
    lengths.push(chars);
  }
  return [...lengths, fieldChars.min];
}

function headOf({ query, agentType }: Interaction, tokens: number): string {
  const kind = agentType === undefined ? '' : `AGENT: ${excerpt(agentType, 100)}\n`;
  let task = clean(query, tokens * 3);
  for (let chars = tokens * 3; estimateTokens(task) > tokens && chars > 50; chars = Math.floor(chars / 2)) {
    task = excerpt(task, chars);
  }
  return `${kind}TASK: ${task}`;
}

/** Inputs usually repeat the last result or the whole history; returns only what is new. */
function newPartOf(inputs: string, before: Turn | undefined, query: string): string {
  const more = before && inputs.startsWith(before.inputs) ? inputs.slice(before.inputs.length) : inputs;
  const known = (before?.result ?? query).trim();
  const added = more.trim();
  return known !== '' && added.length <= known.length + roleChars && added.endsWith(known) ? '' : added;
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

/** Keeps the most important turns that fit, in the order of the run. */
function fill(written: readonly WrittenTurn[], errorTurns: ReadonlySet<number>, room: number): WrittenTurn[] {
  const needed = essentialTurns(written, errorTurns);
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

function essentialTurns(written: readonly WrittenTurn[], errorTurns: ReadonlySet<number>): WrittenTurn[] {
  const ends = [...written.slice(0, alwaysKept.first), ...written.slice(-alwaysKept.last).reverse()];
  const errors = fromBothEnds(written.filter(({ turn }) => errorTurns.has(turn)));
  return [...new Set([...ends, ...errors])];
}

/** First, last, second, second to last, … */
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
  // Drop half a surrogate pair at a cut.
  return `${text.slice(0, half)} (…) ${text.slice(-half)}`.replace(/\p{Surrogate}/gu, '');
}

function tokensOf(written: readonly WrittenTurn[]): number {
  return written.reduce((sum, { tokens }) => sum + tokens + 1, 0);
}

/** Several runs as text within a token budget; steps in the middle are left out first. */
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
 * Control tokens of chat templates: `<|im_end|>`, `<｜User｜>`, `[INST]`, `<<SYS>>`, `<start_of_turn>`, `</s>`. Some
 * servers interpret them inside a text too, which would let its author speak for the system.
 */
const tag = /<[|｜]([^\s<>|｜]{1,60})[|｜]>|<{1,2}(\/?\w{1,20})>{1,2}|\[(\/?\w{1,20})\]/g;
const names = new Set(
  'inst sys available_tools tool_calls tool_results s system assistant start_of_turn end_of_turn bos eos pad unk think'.split(
    ' ',
  ),
);

/** Rewrites control tokens so that people still recognise them and servers do not. */
export function withoutControlTokens(text: string): string {
  return text.replace(tag, (whole, special?: string, angled?: string, bracketed?: string) => {
    const name = special ?? angled ?? bracketed ?? '';
    return special !== undefined || names.has(name.replace('/', '').toLowerCase()) ? `(${name})` : whole;
  });
}

/** English has about four characters per token, code and JSON three, other scripts one. */
const asciiPerToken = 3;

/** A conservative estimate for most models. */
export function estimateTokens(text: string): number {
  let ascii = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 128) ascii++;
  return Math.ceil(ascii / asciiPerToken) + text.length - ascii;
}
