import type { Insight } from '@whetstone/contracts';
import {
  type Action,
  asksForFacts,
  contentWords,
  effectsOf,
  isPlainCommand,
  isProgram,
  normalForm,
  occursIn,
  onlyReads,
  operationWords,
  readShell,
} from '@whetstone/reading';

import { minAgreeingKeys, minAgreeingRuns } from './admit-lessons.js';
import { type DecidedHit, isByPerson } from './decided-hits.js';
import type { ReadExample } from './fold-lessons.js';
import { countTrustedRuns, createRunsOf, keysOf } from './hit-runs.js';
import { meaningWords, once } from './task-words.js';
import { pairsOf } from './tool-constants.js';

/** What of a past run's steps the new task speaks for. */
export interface VouchedSteps {
  /** The new task only wants to know something. */
  looksOnly(): boolean;
  /**
   * The lesson without changes that nobody speaks for, if something is left; else as it is.
   *
   * @param areSame whether both tasks have the same wishes
   */
  of(insight: Insight, hit: DecidedHit, areSame: () => boolean): Insight;
  /** The lesson with nothing but what the run looked up; `undefined` if it looked up nothing or changed nothing. */
  lookups(insight: Insight): Insight | undefined;
}

interface Asked {
  task: string;
  /** How many things it may ask for. */
  wishes(): number;
  hits: readonly DecidedHit[];
  /** Runs of one key are no agreement. */
  severalKeys: boolean;
  read: ReadExample;
}

/** They say that something changes, not what. */
const general = new Set(
  'create add new make set update do put post insert save write change modify edit run execute perform open item record entry'.split(
    ' ',
  ),
);

const namespaces = /[.:/]|__/;
/** Not a flag or a single digit. */
const isThing = /^(?!true$|false$|none$|null$)[\p{L}\p{N}].+/iu;

/** Hands on a page or a keyboard: what they change, only the page knows. */
const gestures = new Set(
  'click dblclick double tap press type fill clear select check uncheck hover drag drop scroll swipe focus key keys hotkey keyboard mouse text option button element'.split(
    ' ',
  ),
);

/**
 * A run that succeeded may have done more than its task asked for: by a habit of its own, or because somebody planted it. A
 * change has to be named by the new task, or act on what it names, or several runs have to have made it.
 */
export function createVouchedSteps({ task, wishes, hits, severalKeys, read }: Asked): VouchedSteps {
  const isInTask = occursIn(task);
  const looksOnly = once(() => onlyReads(task) || asksForFacts(task));
  const words = once(() => stemsIn(task));

  function says(one: string): boolean {
    return stemsIn(one).some((stem) => words().some((word) => isOfOneStem(word, stem)));
  }

  function isAgreed(action: Action): boolean {
    const name = nameOf(action);
    const [last = ''] = operationWords(action).slice(-1);
    const same = hits.filter(({ insight: { example = '', polarity } }) => {
      const mayHave = polarity === 'success' && example.toLowerCase().includes(last);
      return mayHave && read(example).some((other) => nameOf(other) === name);
    });
    if (same.length === 0) return false;
    const trusted = same.flatMap(keysOf).filter(({ trust }) => trust !== 'low');
    const keys = new Set(trusted.map(({ keyId }) => keyId));
    return (
      countTrustedRuns(same.map(createRunsOf(hits))) >= minAgreeingRuns &&
      (!severalKeys || keys.size >= minAgreeingKeys)
    );
  }

  /** `spinner.close_lid`, to start the spinner: what it takes to do what is asked. */
  function actsOnNamed(action: Action): boolean {
    const spaces = action.kind === 'call' ? action.verb.split(namespaces).slice(0, -1) : [];
    return pairsOf([action]).some(([, value]) => isThing.test(value) && isInTask(value)) || spaces.some(says);
  }

  /** Of several calls of one tool, those that have fewer of the task's values than another. */
  function hasFewerValues(action: Action, among: readonly Action[]): boolean {
    const given = (one: Action) => new Set(pairsOf([one]).flatMap(([name, value]) => (isInTask(value) ? name : [])));
    const own = given(action);
    return among.some((other) => {
      const others = nameOf(other) === nameOf(action) ? given(other) : own;
      return others.size > own.size && [...own].every((name) => others.has(name));
    });
  }

  function isOperandInTask({ text }: Action): boolean {
    const [command] = readShell(text) ?? [];
    return (command?.operands ?? []).some((operand) => /[^a-z-]/.test(operand) && isInTask(operand));
  }

  /** What programs that nobody knows still do once one of them has done the last thing that the task asks for. */
  function withoutAfterthoughts(insight: Insight, steps: readonly Action[]): Insight {
    const isNamed = (step: Action) => tellingWords(step).some(says) || isOperandInTask(step);
    const named = steps.filter((step) => step.kind === 'command' && isNamed(step));
    const [first, last] = [named[0], named.at(-1)];
    if (!first || !last || isProgram(last.verb) || named.length < wishes()) return insight;
    // What was locked before has to be unlocked.
    if (steps.slice(0, steps.indexOf(first)).some(mayBeExtra)) return insight;
    const extra = steps.slice(steps.indexOf(last) + 1).filter((step) => mayBeExtra(step) && !isAgreed(step));
    return extra.length === 0 ? insight : (only(insight, steps, (step) => !extra.includes(step)) ?? insight);
  }

  return {
    looksOnly,
    of(insight, hit, areSame) {
      if (isKept(hit) || insight.effects.length === 0 || insight.example === undefined) return insight;
      // Commands may need each other, unless none of them should change anything.
      const maySplit = looksOnly();
      const isScript = maySplit && /\n| && |; /.test(insight.example);
      if (!isScript && isPlainCommand(insight.example)) return insight;
      const actions = read(insight.example);
      if (!isScript && !actions.some(isOfTool)) return withoutAfterthoughts(insight, actions.flatMap(linesOf));
      const steps = maySplit ? actions.flatMap(linesOf) : actions;
      const changes = steps.filter((action) => mayBeExtra(action) && (maySplit || isOfTool(action)));
      if (steps.length < 2 || changes.length === 0) return insight;
      const wishesSame = areSame();
      const isNamed = (action: Action) => {
        const telling = tellingWords(action);
        if (telling.length === 0) return !looksOnly() || action.kind === 'command';
        if (!wishesSame) return telling.every(says);
        return telling.some(says) || (!looksOnly() && actsOnNamed(action));
      };
      const named = changes.filter((action) => isNamed(action) && !hasFewerValues(action, changes));
      // What the task asks for beside those that it names may be done by any of the others.
      if (wishesSame && named.length < Math.max(1, wishes()) && !looksOnly()) return insight;
      const extra = changes.filter((action) => !named.includes(action) && !isAgreed(action));
      // Of another wish, a part of the changes is worse than none.
      const left = !wishesSame && extra.length > 0 ? changes : extra;
      return only(insight, steps, (action) => !left.includes(action)) ?? insight;
    },
    lookups(insight) {
      if (insight.example === undefined) return undefined;
      const steps = read(insight.example);
      if (!steps.every((action) => isOfTool(action) || action.kind === 'reply')) return undefined;
      return only(insight, steps, (action) => isOfTool(action) && effectsOf(action).length === 0);
    },
  };
}

/** The commands of a script, if it is nothing but one after the other. */
function linesOf(action: Action): readonly Action[] {
  if (action.kind !== 'command') return [action];
  const lines = action.text.split(/\n| && |; /).map((text) => ({ text, commands: readShell(text) ?? [] }));
  if (lines.length === 1 || lines.some(({ commands }) => commands.length !== 1)) return [action];
  return lines.map(({ text, commands: [command] }) => ({ kind: 'command', verb: command?.program ?? '', text }));
}

/** A person pinned or wrote it. */
function isKept({ state, insight }: DecidedHit): boolean {
  return state === 'pinned' || isByPerson(insight);
}

/** A change by a tool, or by a program that nobody knows. */
function mayBeExtra(action: Action): boolean {
  if (effectsOf(action).length === 0) return false;
  if (isOfTool(action)) return !operationWords(action).every((word) => gestures.has(word));
  return action.kind === 'command' && !isProgram(action.verb);
}

function isOfTool({ kind }: Action): boolean {
  return kind === 'call' || kind === 'http';
}

/** What a step does, by which it is compared with those of other runs. */
function nameOf(action: Action): string {
  const { kind, verb } = action;
  return [
    kind,
    kind === 'call' ? '' : verb,
    ...(isOfTool(action) ? operationWords(action) : subcommandsOf(action)),
  ].join(' ');
}

function tellingWords(action: Action): string[] {
  const words = isOfTool(action) ? operationWords(action) : subcommandsOf(action);
  return words.filter((word) => !general.has(word) && /\p{L}{2}/u.test(word));
}

/** `user promote` of `whq user promote guest`: without what looks like a value. */
function subcommandsOf({ text }: Action): string[] {
  const [command] = readShell(text) ?? [];
  return (command?.operands ?? []).slice(0, 2).filter((word) => /^[a-z][a-z-]+$/.test(word));
}

function stemsIn(text: string): string[] {
  return [...new Set([...contentWords(text), ...meaningWords(text)])];
}

function isOfOneStem(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short === long || (short.length >= 4 && long.startsWith(short));
}

/** The lesson with these of its steps only; `undefined` if that is none or all of them. */
function only(
  insight: Insight,
  steps: readonly Action[],
  isKeptStep: (action: Action) => boolean,
): Insight | undefined {
  const kept = steps.filter(isKeptStep);
  if (kept.length === steps.length || !kept.some(({ kind }) => kind !== 'reply')) return undefined;
  return {
    ...insight,
    title: `What worked: ${[...new Set(kept.map(({ verb }) => verb))].slice(0, 6).join(', ')}`,
    example: kept.map(({ text }) => text.trim()).join('\n'),
    actions: [...new Set(kept.map(normalForm))],
    effects: [...new Set(kept.flatMap(effectsOf))],
  };
}
