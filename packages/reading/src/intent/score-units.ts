import type { Unit } from './scan-units.js';

export interface ScoredUnit {
  unit: Unit;
  index: number;
  score: number;
}

/** A request is expected within this many tokens of either end; beyond them the weight decays. */
const endTokens = 50;
const fadeTokens = 60;
/** The weight of a cue; it drops if more than `commonAbove` units have the cue. */
const askCue = { weight: 4, commonAbove: 2 };
const formCue = { weight: 2.5, commonAbove: 4 };
/** Units at each end that are checked for cues: more than any hand-written text has. */
const cueUnits = 2_000;
const maxReadLength = 400;
const minProse = 0.2;
const machineLine =
  /^[^a-z]{0,3}(?:\d{2,4}[-:/.]\d|\d+[ \t,;|]|(?:info|warn|warning|error|debug|trace|fatal)\b|at \w+[.(]|[{}<|>"'#/*$])/;

/**
 * Scores how likely each unit states the request: it reads like prose and like a request, is near the start or the end,
 * and is not repeated elsewhere in the text.
 */
export function scoreUnits(text: string, units: Unit[]): ScoredUnit[] {
  const positions = positionWeights(units);
  const { novelties, average } = noveltyOf(units);
  // In varied text novelty means little; in repetitive text it means nearly everything.
  const noveltyWeight = 1 + 5 * (1 - average) ** 2;
  const read = units.map((unit, index) => readUnit(text, unit, index, units.length));
  const asks = weightOf(askCue, read.filter((reading) => reading.asks).length);
  const hasRequestForm = weightOf(formCue, read.filter((reading) => reading.hasRequestForm).length);
  const cues = read.map((reading) => (reading.asks ? asks : 0) + (reading.hasRequestForm ? hasRequestForm : 0));
  return units.map((unit, index) => {
    const { prose } = read[index] as Reading;
    const cue = cues[index] as number;
    const weight = 1 + cue + 3.5 * (positions[index] as number) + noveltyWeight * (novelties[index] as number);
    return { unit, index, score: (prose + 0.02) * weight + neighbourBonus(read, units, cues, index) };
  });
}

function weightOf({ weight, commonAbove }: typeof askCue, count: number): number {
  return weight * Math.min(1, Math.sqrt(commonAbove / Math.max(1, count)));
}

interface Reading extends RequestCues {
  prose: number;
  announces: boolean;
}

const noProse: Reading = { prose: 0, asks: false, hasRequestForm: false, announces: false };

function readUnit(text: string, unit: Unit, index: number, count: number): Reading {
  const likeness = proseLikeness(unit);
  if (likeness === 0) return noProse;
  const start = text
    .slice(unit.start, Math.min(unit.end, unit.start + maxReadLength))
    .trim()
    .toLowerCase();
  const prose = likeness * (machineLine.test(start) ? 0.3 : 1);
  if (prose < minProse || Math.min(index, count - index) > cueUnits) return { ...noProse, prose };
  return { prose, ...requestCues(start), announces: announces(start) };
}

/** Neighbours of a request in its paragraph usually belong to it, and so does the unit after an announcement. */
function neighbourBonus(read: Reading[], units: Unit[], cues: number[], index: number): number {
  const { paragraph, fenced } = units[index] as Unit;
  if (!fenced && read[index - 1]?.announces) return cues[index - 1] ?? 0;
  const cueAt = (place: number) => (units[place]?.paragraph === paragraph ? (cues[place] ?? 0) : 0);
  return 0.5 * Math.max(cueAt(index - 1), cueAt(index + 1)) * (read[index] as Reading).prose;
}

/** 1 for a sentence, towards 0 for machine output: logs, tables, code, encoded data. */
function proseLikeness({ letters, visible, words, tokens, fenced }: Unit): number {
  const unspaced = tokens > 0.8 * visible;
  let likeness = Math.max(0, Math.min(1, (letters / Math.max(1, visible) - 0.6) / 0.28));
  if (!unspaced && words < 3) likeness *= 0.4;
  if (!unspaced && visible / words > 12) likeness *= 0.2;
  return fenced ? likeness * 0.3 : likeness;
}

/** Near 1 at both ends, towards 0 in between; a short first or last paragraph counts more. */
function positionWeights(units: Unit[]): number[] {
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
    // Pasted material usually precedes the instructions.
    const isLast = after < endTokens && paragraph === last;
    return Math.exp(-distance / fadeTokens) + (alone ? 0.5 : 0) + (isLast ? 0.2 : 0);
  });
}

const sketchSize = 1 << 16;

interface Novelty {
  /** Per unit: the share of its words that few other units contain; 0 for repeated units. */
  novelties: number[];
  /** Over all units, weighted by length. */
  average: number;
}

/** Measures what each unit says that the others do not. Counts words in a sketch; rare collisions do not matter. */
function noveltyOf(units: Unit[]): Novelty {
  const unitsWith = new Uint32Array(sketchSize);
  const lastUnit = new Int32Array(sketchSize).fill(-1);
  const timesSeen = new Map<number, number>();
  const templates = units.map(({ wordHashes }, index) => {
    let template = wordHashes.length;
    for (const hash of wordHashes) {
      template = (Math.imul(template, 31) + hash) | 0;
      const place = sketchIndex(hash);
      if (lastUnit[place] === index) continue;
      lastUnit[place] = index;
      unitsWith[place] = (unitsWith[place] as number) + 1;
    }
    timesSeen.set(template, (timesSeen.get(template) ?? 0) + 1);
    return template;
  });

  const few = Math.max(1, units.length / 200);
  let newWords = 0;
  let allWords = 0;
  const novelties = units.map(({ wordHashes }, index) => {
    let novel = 0;
    for (const hash of wordHashes) if ((unitsWith[sketchIndex(hash)] as number) <= few) novel++;
    const repeated = (timesSeen.get(templates[index] as number) ?? 0) > 2;
    newWords += repeated ? 0 : novel;
    allWords += wordHashes.length;
    return repeated || wordHashes.length === 0 ? 0 : novel / wordHashes.length;
  });
  return { novelties, average: allWords === 0 ? 1 : newWords / allWords };
}

function sketchIndex(hash: number): number {
  return (hash ^ (hash >>> 16)) & (sketchSize - 1);
}

const imperatives = new Set(
  `accept access achieve act activate adapt add adjust advise aggregate align allocate allow alter analyse analyze annotate
  announce answer append apply approve archive arrange ask assemble assess assign attach audit author automate avoid backup
  balance batch begin benchmark block book bring browse build calculate call cancel capture categorise categorize change charge
  check choose cite clarify classify clean clear click clone close cluster code collect combine come comment compare compile
  complete compose compress compute configure confirm connect consider consolidate construct contact contain continue contrast
  convert copy correct count cover craft create critique crop cross cut debug decide decode decompress decrease decrypt deduce
  deduplicate define delete deliver deploy derive describe design detect determine develop devise diagnose diff disable discard
  discuss display divide do document double download downgrade draft draw drop dump duplicate edit elaborate eliminate email
  embed enable encode encrypt end enhance ensure enter enumerate erase escalate establish estimate evaluate examine exchange
  exclude execute expand explain explore export express extend extract fetch figure file fill filter finalise finalize find
  finish fix flag flatten follow forecast format formulate forward free generate get give go grade grant grep group guess
  handle help hide highlight host identify ignore illustrate implement import improve include increase index infer inform
  insert inspect install integrate interpret invent investigate invite invoke issue join keep kill label launch lay learn
  leave let limit link list load locate lock log look lower lint make manage map mark mask match measure merge migrate
  minimise minimize mirror modify monitor mount move multiply name navigate negotiate normalise normalize note notify number
  obtain offer omit open optimise optimize order organise organize outline output overwrite pack paraphrase parse partition
  paste patch pause pay perform pick pin ping place plan play plot point populate port post predict prepare present preserve
  prevent print prioritise prioritize process produce profile program promote proofread propose prove provide provision prune
  publish pull purchase purge push put query queue quote raise randomise randomize rank rate reach read rearrange rebase
  rebook reboot rebuild recap recalculate receive recite recommend reconcile record recover redact redirect reduce refactor
  refer refine reformat refresh refund register reject release reload relocate remind remove rename render renew reopen
  reorder repair repeat rephrase replace reply report repost represent reproduce request research reschedule reserve reset
  resize resolve respond restart restore restrict restructure retain retrieve return reuse reverse revert review revise
  revoke rewrite roll rotate round route run sample sanitise sanitize save scale scan schedule scrape scroll search secure
  see select send separate serialise serialize serve set settle share ship shorten show shrink shuffle sign simplify simulate
  sketch skip solve sort specify spell split stage standardise standardize start state stop store stream strip structure
  study submit subscribe subtract suggest sum summarise summarize supply support suspend swap switch synchronise synchronize
  sync synthesise synthesize tag take talk tell terminate test think tidy track trace train transcribe transfer transform
  translate transpose trim troubleshoot truncate try tune turn type unblock undo uninstall unlock unpack unsubscribe unzip
  update upgrade upload upsert use validate verify view visit visualise visualize wait walk warn watch wipe work wrap write
  zip`.split(/\s+/),
);

/** Labels that introduce a request. */
const requestLabel =
  /^[^a-z]{0,4}(?:(?:the|my|your|our|here is|here's|actual|real|main|final|user|new) ){0,2}(?:task|request|question|query|instructions?|goal|objective|problem|todo|to do|ask|assignment|prompt|job|user|human|customer|ticket|tl;?dr) ?(?:is|was)? ?[:：—–-]/;
const askingPhrase =
  /\b(?:please|kindly|pls|(?:can|could|would|will) (?:you|we|someone)|i (?:want|need|would like|wish|am trying|have to)|i'd like|we (?:want|need|would like)|help me|your (?:task|job|goal|mission|assignment|objective)|you are (?:to|asked)|the task|what i (?:want|need)|i'm (?:trying|looking))\b/;
const leadIn =
  /^(?:[^a-z]|(?:and|but|so|now|then|ok|okay|first|finally|hi|hello|hey|thanks|also|next|please|just|kindly|given all (?:this|that)|based on (?:this|that|the above))\b[,:]?){0,8}/;
const leadingVerb = /^([a-z]+)\s/;

interface RequestCues {
  /** Contains a phrase such as "please", "I need" or "your task:". */
  asks: boolean;
  /** Is a question, or starts with a verb in the imperative. */
  hasRequestForm: boolean;
}

/** Expects lower case. The word lists are English; other languages rely on question marks and position. */
function requestCues(text: string): RequestCues {
  const named = requestLabel.exec(text)?.[0].length ?? 0;
  const plain = text.slice(named, named + 120).replace(leadIn, '');
  const verb = leadingVerb.exec(plain)?.[1] ?? '';
  const asked = text.endsWith('?') || text.endsWith('？');
  return { asks: named > 0 || askingPhrase.test(text), hasRequestForm: asked || imperatives.has(verb) };
}

/** A unit that only introduces the next one, such as "your task:". */
function announces(text: string): boolean {
  return text.length < 80 && text.endsWith(':') && (requestLabel.test(text) || askingPhrase.test(text));
}
