import {
  type Action,
  contentWords,
  effectsOf,
  hasOtherRole,
  identifyingValues,
  isProgram,
  isStopWord,
  maskText,
  occursIn,
  onlyPoints,
  readSenses,
  type Senses,
  separateScripts,
  shapeOfAction,
  shapeOfReply,
  standsBeside,
  uncommented,
} from '@whetstone/reading';

import { structuredActions } from './choose-similar.js';
import type { DecidedHit } from './decided-hits.js';
import type { ReadExample, UnweightedLesson } from './fold-lessons.js';
import type { JudgedHit } from './judge-hits.js';
import { literally } from './swap-values.js';
import { constantForm, constantsIn, pairsOf } from './tool-constants.js';

type Roles = Senses['roles'];

/** Masks values of past runs that identify another case. */
export interface Masking {
  /** `undefined` if nothing of the example may be shown. */
  example(lesson: UnweightedLesson): string | undefined;
  /** The example loses all it says: it is a reply made of values, or only points at places on a page. */
  emptiesExample(lesson: UnweightedLesson): boolean;
  /** The task that the lesson was learnt from. */
  task(lesson: UnweightedLesson): string;
  /** The same without paths, addresses and long numbers of its own, for a hint: agents copy them. */
  taskWithoutPlaces(lesson: UnweightedLesson): string;
  /** What was replied to that task; empty if nothing of it may be shown. */
  reply(lesson: UnweightedLesson): string;
  words(text: string): string;
  /** Of single words of the task, those that may be shown. */
  wordsOf(lesson: UnweightedLesson, words: readonly string[]): string[];
}

/** `light.kitchen`, `living_room`: words without a number, which might count something else in the task. */
const joinedWords = /^\p{L}+(?:[._-]\p{L}+)+$/u;

function wordsOf(value: string): string[] {
  return value.split(joinedWords.test(value) ? /[._-]/ : /\s+/);
}

/**
 * Sizes and limits matter to commands and queries. In the task of a call or a reply a number is an amount, the end of a card or
 * the like: data of one case.
 */
const number = /(?<![\p{L}\p{N}_<])(?:\p{L}{1,20}-){0,3}\d(?:[\d.,:/-]*\d)?(?![\p{L}\p{N}_])/gu;

/** A number with a unit of size or time. */
const quantity = /(?<![\d.])(\d{1,9}) ?(?:[kmgt]i?b?|bytes?|sec\p{L}*|min\p{L}*|h|hours?|days?)\b/giu;
/** Between such units. */
const unitFactors: ReadonlySet<number> = new Set([
  ...[1, 2, 3, 4].flatMap((power) => [1000 ** power, 1024 ** power]),
  ...[60, 3600, 86_400].flatMap((seconds) => [seconds, 1000 * seconds]),
]);

const date = /(?<![\p{L}\p{N}_./-])\d{4}-\d{2}-\d{2}(?![\p{L}\p{N}_-])/gu;
const monthMs = 31 * 24 * 3_600_000;
const anyDate = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g;
/** The date that it means is another one the next time. */
const relativeTime =
  /(?<!\p{L})(?:today|tonight|yesterday|tomorrow|(?:this|last|next|current|past) (?:\d+ )?(?:week|month|quarter|year|day|night|morning|hour)s?|heute|gestern|morgen|(?:diese|letzte|nächste|vorige)[nrms]? (?:Woche|Monat|Quartal|Jahr)|aujourd.hui|hier|demain|(?:cette|ce) (?:semaine|mois|année)|hoy|ayer|mañana|(?:esta|este) (?:semana|mes|año)|hoje|ontem|amanhã|oggi|ieri|domani|сегодня|вчера|завтра)(?!\p{L})|今日|明日|昨日|今週|今月|今天|明天|昨天|本周|本月|오늘|내일|어제/iu;
const firstPerson =
  /(?<!\p{L})(?:i|my|mine|our|ich|mein\p{L}{0,2}|unser\p{L}{0,2}|je|mon|ma|mes|nos|mis?|meus?|minhas?|mio|mia|miei)(?!\p{L})/iu;
/** `customer_id = 4411` */
const comparedId =
  /((?<![\p{L}\p{N}_])(?:[\w.]{0,40}[_.]|\w{0,40}[a-z](?=I)|[A-Za-z])?[Ii][Dd]["'`\]]{0,2} ?={1,2} ?)(["']?)(\d[\w-]{0,60}|(?<=["'])[\w-]{1,60})/gu;
/** Shorter ones are often constants: a state, a kind. */
const leastOfId = 4;
const fullName = /^\p{Lu}[\p{L}\p{M}]+(?:\s+\p{Lu}[\p{L}\p{M}]+)+$/u;
const shortNumber = /^\d{1,2}$/;

/** Neither part of a name nor of a path. */
const operandNumber = /(?<![\p{L}\p{N}_./:-])\d[\d.]*\d(?![\p{L}\p{N}_/:-]|\.\p{L})/gu;
const literalInCode =
  /(["'])(?:\\.|(?!\1)[^\\\n]){1,200}\1|(?<![\p{L}\p{N}_.])\d{1,20}(?:\.\d{1,20})?(?![\p{L}\p{N}_.])/gu;
/** “if the score is above 600” */
const conditional = /(?<!\p{L})(?:if|unless|falls|wenn|sofern|si)(?!\p{L})/iu;

/** In a task, what is to be written, sent or searched. */
const quoted = /(?<!\w)(["'“„«])((?:(?!["”»])[^\n]){2,200}?)["'”“»](?!\w)/g;

/** A path from the root, home or this folder, but not `and/or`; a URL; a number of five digits or more. */
const place =
  /(?<![\p{L}\p{N}_.:/~-])(?:~|\.{1,2})?\/[\p{L}\p{N}_.*~/-]+(?<!\.)|\b[a-z]{2,10}:\/\/[^\s,;”]{1,300}|(?<![\p{L}\p{N}_])(?!\d{4}-\d\d-\d\d)\d(?:[ -]?\d){4,}(?![\p{L}\p{N}_])/gu;

export function createMasking(
  { task, contextText, found }: { task: string; contextText: string; found: readonly DecidedHit[] },
  hits: readonly JudgedHit[],
  read: ReadExample,
): Masking {
  const request = `${task}\n${contextText}`;
  const isInRequest = occursIn(request);
  const isBesideName = standsBeside(request);
  let constants: ReadonlySet<string> | undefined;
  let roles: Roles | undefined;

  function mayShow(value: string): boolean {
    if (isInRequest(value) || wordsOf(value).every((word) => isStopWord(word) || isInRequest(word))) return true;
    // `light.kitchen`, for “the lights in the kitchen”
    if (joinedWords.test(value) && says(request)(value)) return true;
    return isConverted(value) || (mayBeConstant(value) && isConstant(value));
  }

  /** 104857600, for 100 MB. */
  function isConverted(value: string): boolean {
    if (!/^\d{4,15}$/.test(value)) return false;
    return [...request.matchAll(quantity)].some(([, one]) => unitFactors.has(Number(value) / Number(one)));
  }

  /** A value, or `name=value`. */
  function isConstant(use: string): boolean {
    constants ??= constantsIn(hits, read);
    return constants.has(use);
  }

  /** Spares reading all examples for most values. */
  function mayBeConstant(value: string): boolean {
    return constantForm.test(value) && hits.filter(({ insight }) => insight.example?.includes(value)).length > 1;
  }

  function withoutNumbers(text: string, isOfCase: (found: string) => boolean): string {
    return text.replace(number, (found) => (isOfCase(found) && !mayShow(found) ? '<number>' : found));
  }

  /** What was done in another case depended on what its check said; the check is the same. */
  function shownActions({ relation, verbatim, isClose, actions }: UnweightedLesson): readonly Action[] {
    const all = relation === 'similar' && !isClose ? structuredActions({ actions }) : actions();
    const isOtherCase = relation !== 'same' || !verbatim;
    return isOtherCase && conditional.test(task) ? all.filter((action) => effectsOf(action).length === 0) : all;
  }

  /** A short number may stand in another task by chance, or a value in another role: moved to a plan, not from it. */
  function mayShowIn(lesson: UnweightedLesson, value: string, name: string | undefined): boolean {
    const { relation, isClose, verbatim, shown } = lesson;
    if (isFlag(value)) return relation !== 'similar' || isClose || isConstant(`${name}=${value}`);
    // `status="closed"`, for “Close ticket 7”
    if (relation === 'variant' && verbatim && constantForm.test(value) && says(request)(value)) return true;
    const isAmbiguous = () => shortNumber.test(value) || isOfTwoNames(value, lesson);
    const isByChance =
      !verbatim && name !== undefined && /^\d/.test(value) && isAmbiguous() && !isBesideName(value, name);
    return !isByChance && mayShow(value) && (relation !== 'similar' || !isInOtherRole(value, shown.intent));
  }

  /** `amount: 100, account: 100` */
  function isOfTwoNames(value: string, { actions }: UnweightedLesson): boolean {
    const names = pairsOf(actions()).flatMap(([name, other]) => (other === value ? name : []));
    return new Set(names).size > 1;
  }

  function isInOtherRole(value: string, past: string): boolean {
    if (!isInRequest(value)) return false;
    roles ??= readSenses(task).roles;
    return hasOtherRole(value, roles, readSenses(past).roles);
  }

  function shapeIn(lesson: UnweightedLesson, action: Action): string {
    const { relation, verbatim } = lesson;
    if (action.kind === 'reply' && !(relation === 'same' && verbatim))
      return isWithoutCase(action.text) ? '' : shapeOfReply(action.text, mayShow);
    const mayShowArgument = (value: string, name?: string) =>
      mayShowIn(lesson, value, name) || (relation === 'same' && isLabelIn(action, value, name));
    const data = { mayShow: mayShowDataIn(lesson), isOtherCase: relation !== 'same' };
    const own = uncommented(withoutValuesOf(lesson, action));
    const shape = shapeOfAction(own, mayShowArgument, data);
    if (!hasLiterals(action)) return shape;
    const isPointed = relativeTime.test(lesson.shown.intent);
    const undated = isPointed ? shape.replace(anyDate, (found) => (isInRequest(found) ? found : '<date>')) : shape;
    const isOwn = firstPerson.test(lesson.shown.intent);
    const isLookedUp = (id: string) => isOwn || (id.length >= leastOfId && /\d/.test(id) && !/\d/.test(task));
    const general = undated.replace(comparedId, (compared, before: string, quote: string, id: string) =>
      isLookedUp(id) && !mayShow(id) ? `${before}${quote}…` : compared,
    );
    return verbatim ? general : withoutValuesOfTask(withoutDates(general, lesson), lesson);
  }

  function withoutValuesOf(lesson: UnweightedLesson, action: Action): Action {
    if (lesson.relation === 'variant' && action.kind === 'command') return withoutComputed(lesson, action);
    if (lesson.relation !== 'similar' || !isChangeInCode(action)) return action;
    const isOfPast = occursIn(lesson.shown.intent);
    const isOfCase = (found: string) => (/^\d/.test(found) || isOfPast(found)) && !mayShow(found);
    return { ...action, text: action.text.replace(literalInCode, (found) => (isOfCase(found) ? '…' : found)) };
  }

  /** Beside other steps, a number that neither the past task nor they have may follow from what they found out. */
  function withoutComputed({ shown, actions }: UnweightedLesson, action: Action): Action {
    const steps = actions().flatMap(({ text }) => text.split('\n'));
    if (steps.length === 1 || isProgram(action.verb)) return action;
    const masked = action.text.split('\n').map((step) => {
      const isKnown = occursIn([shown.intent, ...steps.filter((other) => other !== step)].join('\n'));
      return step.replace(operandNumber, (found) => (mayShow(found) || isKnown(found) ? found : '…'));
    });
    return { ...action, text: masked.join('\n') };
  }

  /** What the past or the new task says, in these or similar words, and what other tasks took as well. */
  function mayShowDataIn({ shown, relation, verbatim }: UnweightedLesson): (value: string) => boolean {
    // Of the very same task, a number may follow from those it has.
    const hasNumbers = relation === 'same' && verbatim && /\d/.test(task);
    const [isInPast, saysPast, saysNow] = [occursIn(shown.intent), says(shown.intent), says(request)];
    const isElsewhere = (value: string) =>
      constantForm.test(value) &&
      found.some(
        ({ intent, insight: { example = '' } }) =>
          intent !== shown.intent && example.includes(value) && areOfTwoCases(example, shown.insight.example ?? ''),
      );
    const isComputed = (value: string) => hasNumbers && /^-?[\d.]+$/.test(value);
    return (value) =>
      [mayShow, isInPast, saysPast, saysNow, isComputed, isElsewhere].some((isOfTask) => isOfTask(value));
  }

  /** Those that are masked in the task above the example, and what may follow from them, such as the day after. */
  function withoutDates(text: string, { shown }: UnweightedLesson): string {
    const isOfTask = occursIn(shown.intent);
    const ofTask = (text.match(date) ?? []).filter((found) => isOfTask(found) && !mayShow(found));
    const isNear = (found: string) => ofTask.some((one) => Math.abs(Date.parse(one) - Date.parse(found)) <= monthMs);
    return text.replace(date, (found) => (isNear(found) && !mayShow(found) ? '<date>' : found));
  }

  /** What is masked in the task above the example; full names in any spelling: `vera_ricci.png`. */
  function withoutValuesOfTask(text: string, { shown }: UnweightedLesson): string {
    const values = identifyingValues(shown.intent).filter((value) => !mayShow(value));
    return values.reduce((masked, value) => {
      if (!fullName.test(value)) return masked.replace(wholeWord(value), '…');
      return masked.replace(new RegExp(value.split(/\s+/).join('[\\s_.-]*'), 'giu'), '<name>');
    }, text);
  }

  /** Whether a word is of a value that is masked in the calls: a name that somebody typed in lower case, a street. */
  function isGivenIn(actions: readonly Action[]): (word: string) => boolean {
    const values = pairsOf(actions.filter(({ kind }) => kind === 'call' || kind === 'http')).map(([, value]) => value);
    const given = new Set(values.flatMap((value) => (isNaming(value) ? namingWordsIn(value) : [])));
    return (word) => given.has(word.toLowerCase()) && !isStopWord(word.toLowerCase()) && !mayShow(word);
  }

  function withoutGiven(text: string, actions: readonly Action[]): string {
    const isGiven = isGivenIn(actions);
    return text.replace(namingWord, (word) => (isGiven(word) ? '…' : word)).replace(/…(?:[\s,*]+…)+/g, '…');
  }

  function taskOf({ shown, verbatim, actions }: UnweightedLesson): string {
    if (verbatim) return task;
    const masked = maskText(separateScripts(shown.intent), mayShow);
    const keepsNumbers = actions().some((action) => hasLiterals(action) && !isChangeInCode(action));
    if (keepsNumbers) return masked;
    const unquoted = withoutGiven(masked, actions()).replace(quoted, (found, mark: string, said: string) =>
      mayShow(said) ? found : `${mark}…${found.at(-1)}`,
    );
    return withoutNumbers(unquoted, () => true);
  }

  return {
    example(lesson) {
      if (lesson.example === undefined) return undefined;
      const shown = shownActions(lesson).map((action) => ({ text: shapeIn(lesson, action), action }));
      const repeats = ({ text, action }: (typeof shown)[number], at: number) =>
        text === shown[at - 1]?.text && text.includes('…') && effectsOf(action).length === 0;
      // Only parsed actions, since admission judged their effects.
      const texts = shown.filter((one, at) => !repeats(one, at)).map(({ text }) => text);
      return texts.join('\n') || undefined;
    },
    emptiesExample(lesson) {
      const shown = lesson.example === undefined ? [] : shownActions(lesson);
      const isEmpty = (action: Action) =>
        action.kind === 'reply'
          ? !/[\p{L}\p{N}]/u.test(shapeIn(lesson, action))
          : onlyPoints(action) && shapeIn(lesson, action) === shapeOfAction(action, () => false);
      return shown.length > 0 && shown.every(isEmpty);
    },
    task: taskOf,
    taskWithoutPlaces: (lesson) => taskOf(lesson).replace(place, (found) => (mayShow(found) ? found : '…')),
    reply({ insight, shown, verbatim }) {
      const isOfCase = isWithoutCase(insight.content) || conditional.test(shown.intent);
      if (!verbatim && isOfCase) return '';
      // Numbers that the task did not bring up, such as a term of thirty days, belong to no case.
      const ofCase = new Set(shown.intent.match(number));
      return withoutNumbers(maskText(insight.content, mayShow), (text) => ofCase.has(text));
    },
    words: (words) => maskText(words, mayShow),
    wordsOf({ actions }, words) {
      const isGiven = isGivenIn(actions());
      return words.filter((word) => !isGiven(word)).map((word) => maskText(word, mayShow));
    },
  };
}

/** Not a part of an id, an address or a file: `GLZ-118`, `shop.example`. */
const namingWord =
  /(?<![\p{L}\p{M}\p{N}_<.-])[\p{L}\p{M}]{3,}(?:['-][\p{L}\p{M}]+)*(?![\p{L}\p{M}\p{N}_>=]|[._-][\p{L}\p{N}])/gu;
/** A name or an address; a longer text has words of all kinds. */
const mostNamingWords = 4;
/** `light.hallway`, `on_hold` */
const ownName = /^\p{L}+(?:[._]\p{L}+)*$/u;

function namingWordsIn(value: string): string[] {
  return (value.match(namingWord) ?? []).map((word) => word.toLowerCase());
}

function isNaming(value: string): boolean {
  const isOfTool = ownName.test(value) && value === value.toLowerCase();
  return !isOfTool && namingWordsIn(value).length <= mostNamingWords;
}

/** Returns a test for whether a text has each word of a value in some form: "ban" for `banned`. */
function says(text: string): (value: string) => boolean {
  let own: ReadonlySet<string> | undefined;
  return (value) => {
    own ??= stemsIn(text);
    const stems = [...stemsIn(value)];
    return stems.length > 0 && stems.every((stem) => own?.has(stem));
  };
}

function stemsIn(text: string): Set<string> {
  return new Set([...contentWords(text)].map((stem) => stem.replace(/(\p{L})\1$/u, '$1')));
}

/** Commands, queries and files have literals of their own; the arguments of calls are values of a case. */
function hasLiterals({ kind }: Action): boolean {
  return kind === 'command' || kind === 'sql' || kind === 'code' || kind === 'edit';
}

/** Its numbers belong to its case, like the arguments of a call, and so does what the past task named. */
function isChangeInCode(action: Action): boolean {
  return action.kind === 'code' && effectsOf(action).length > 0;
}

function wholeWord(value: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])${literally(value)}(?![\\p{L}\\p{N}_])`, 'gu');
}

function isFlag(value: string): boolean {
  return value === 'true' || value === 'false';
}

const pointingVerb =
  /(?:^|\.)(?:(?:dbl|double_?)?click|press|tap|hover|select|check|uncheck|choose|open|focus|expand|goto|drag|hot_?key|key|shortcut)(?:_?(?:element|option|page|tab|url|button|link|key))?(?![\p{L}_])/iu;
const typingVerb =
  /(?:^|\.)(?:fill|type|typewrite|enter|input|write|send_?keys)(?:_?(?:text|in|into|field))?(?![\p{L}_])/iu;

/**
 * `click("text=Save")`, `fill("#note", …)`: positional arguments that point are labels of a page, not somebody's data; nor
 * are those of a lookup.
 */
function isLabelIn(action: Action, value: string, name: string | undefined): boolean {
  const { kind, args, verb } = action;
  if (kind !== 'call' || !args || !Object.keys(args).every((key, at) => key === String(at))) return false;
  // `take mug 1 from sink 2`
  const isOrder = !action.text.includes('(');
  const points = isOrder || pointingVerb.test(verb) || (typingVerb.test(verb) && name === '0');
  return (points || effectsOf(action).length === 0) && isLabel(value);
}

/** In Chinese, Arabic and the like a name looks like any other word, so none can be masked. */
function isWithoutCase(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.filter((letter) => /\p{Lo}/u.test(letter)).length * 2 > letters.length;
}

const maxLabelWords = 5;

function isLabel(value: string): boolean {
  return value.split(/\s+/).length <= maxLabelWords && !/\d/.test(value) && identifyingValues(value).length === 0;
}

/** Both have data, and share none. */
function areOfTwoCases(...examples: readonly [string, string]): boolean {
  const [first = [], second = []] = examples.map((example) =>
    (example.match(/(?<=['"])[^'"\n]{4,}(?=['"])|\d{3,}/g) ?? []).filter((value) => !constantForm.test(value)),
  );
  return first.length > 0 && second.length > 0 && !first.some((value) => second.includes(value));
}
