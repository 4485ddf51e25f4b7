import { noveltyOf } from './novelty.js';
import { announces, type RequestCues, requestCues } from './request-cues.js';
import type { Unit } from './scan-units.js';

export interface ScoredUnit {
  unit: Unit;
  index: number;
  score: number;
}

/** Tokens at either end within which a request is expected, and how fast the expectation fades behind them. */
const endTokens = 50;
const fadeTokens = 60;
/** What a cue is worth; beyond so many units that have it, it is just how this text talks. */
const asking = { worth: 4, telling: 2 };
const form = { worth: 2.5, telling: 4 };
/** Units nearest to each end that are read for cues: more than any text that people write has. */
const readForCues = 2_000;
const longestReading = 400;
const leastProse = 0.2;
const machineLine =
  /^[^a-z]{0,3}(?:\d{2,4}[-:/.]\d|\d+[ \t,;|]|(?:info|warn|warning|error|debug|trace|fatal)\b|at \w+[.(]|[{}<|>"'#/*$])/;

/**
 * How likely each unit is to say what the text is about: it reads like prose and like a request, stands near one of the
 * two ends, and says what the rest of the text does not say over and over.
 */
export function scoreUnits(text: string, units: Unit[]): ScoredUnit[] {
  const places = placesOf(units);
  const { novelties, average } = noveltyOf(units);
  // Where everything is new, being new says nothing; in a monotonous text it says nearly all.
  const noveltyWeight = 1 + 5 * (1 - average) ** 2;
  const read = units.map((unit, index) => readUnit(text, unit, index, units.length));
  const asks = weightOf(asking, read.filter((reading) => reading.asks).length);
  const isForm = weightOf(form, read.filter((reading) => reading.isForm).length);
  const cues = read.map((reading) => (reading.asks ? asks : 0) + (reading.isForm ? isForm : 0));
  return units.map((unit, index) => {
    const { prose } = read[index] as Reading;
    const cue = cues[index] as number;
    const worth = 1 + cue + 3.5 * (places[index] as number) + noveltyWeight * (novelties[index] as number);
    return { unit, index, score: (prose + 0.02) * worth + companyBonus(read, units, cues, index) };
  });
}

function weightOf({ worth, telling }: typeof asking, count: number): number {
  return worth * Math.min(1, Math.sqrt(telling / Math.max(1, count)));
}

interface Reading extends RequestCues {
  prose: number;
  announces: boolean;
}

function readUnit(text: string, unit: Unit, index: number, count: number): Reading {
  const start = text
    .slice(unit.start, Math.min(unit.end, unit.start + longestReading))
    .trim()
    .toLowerCase();
  const prose = proseLikeness(unit) * (machineLine.test(start) ? 0.3 : 1);
  const isRead = prose >= leastProse && Math.min(index, count - index) <= readForCues;
  const cues = isRead ? requestCues(start) : { asks: false, isForm: false };
  return { prose, ...cues, announces: isRead && announces(start) };
}

/** What stands beside a request in its paragraph usually belongs to it, and so does what an announcement announces. */
function companyBonus(read: Reading[], units: Unit[], cues: number[], index: number): number {
  const { paragraph, fenced } = units[index] as Unit;
  if (!fenced && read[index - 1]?.announces) return cues[index - 1] ?? 0;
  const beside = [index - 1, index + 1].filter((place) => units[place]?.paragraph === paragraph);
  const cue = Math.max(0, ...beside.map((place) => cues[place] ?? 0));
  return 0.5 * cue * (read[index] as Reading).prose;
}

/** 1 for a sentence, towards 0 for what programs write: logs, tables, code, encoded data. */
function proseLikeness({ letters, visible, words, tokens, fenced }: Unit): number {
  const unspaced = tokens > 0.8 * visible;
  let likeness = Math.max(0, Math.min(1, (letters / Math.max(1, visible) - 0.6) / 0.28));
  if (!unspaced && words < 3) likeness *= 0.4;
  if (!unspaced && visible / words > 12) likeness *= 0.2;
  return fenced ? likeness * 0.3 : likeness;
}

/** Near 1 at both ends, towards 0 between them; a short paragraph of its own at an end counts more. */
function placesOf(units: Unit[]): number[] {
  const total = units.reduce((sum, { tokens }) => sum + tokens, 0);
  const first = units[0]?.paragraph;
  const last = units.at(-1)?.paragraph;
  const tokensIn = (paragraph: number | undefined) =>
    units.reduce((sum, unit) => (unit.paragraph === paragraph ? sum + unit.tokens : sum), 0);
  const firstIsShort = first !== last && tokensIn(first) < 120;
  const lastIsShort = first !== last && tokensIn(last) < 120;

  let before = 0;
  return units.map(({ tokens, paragraph }) => {
    const after = total - before - tokens;
    const distance = Math.max(0, Math.min(before, after) - endTokens);
    before += tokens;
    const alone = (paragraph === first && firstIsShort) || (paragraph === last && lastIsShort);
    // What is pasted mostly comes before the words that say what to do with it.
    const isLast = after < endTokens && paragraph === last;
    return Math.exp(-distance / fadeTokens) + (alone ? 0.5 : 0) + (isLast ? 0.2 : 0);
  });
}
