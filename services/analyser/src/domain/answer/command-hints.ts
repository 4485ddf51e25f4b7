import { type Action, isProgram, readShell } from '@whetstone/reading';

import type { Chosen } from './choose-lessons.js';
import { type Lesson, mergeLessons } from './fold-lessons.js';
import { taskNameOf } from './hit-names.js';

const maxOptions = 4;
/** Below this similarity, a command's options misled a real agent more often than they helped. */
const hintFloor = 0.7;
/** A longer list is one task’s whole pipeline: it misled a real agent. */
const maxPrograms = 2;
const maxLikely = 2;

/** Its parameters begin with a capital: `-eq` compares. */
const cmdlet = /^[A-Z][a-z]+-[A-Z]/;

/** Programs and their options, without duplicates, in order. */
export function programsIn(actions: readonly Action[]): Map<string, string[]> {
  const programs = new Map<string, string[]>();
  for (const { kind, text } of actions) {
    if (kind !== 'command') continue;
    for (const { program, options } of readShell(text) ?? []) {
      if (!/\p{L}/u.test(program)) continue;
      const known = programs.get(program) ?? [];
      const own = cmdlet.test(program) ? options.filter((option) => /^-\p{Lu}/u.test(option)) : options;
      programs.set(program, [...new Set([...known, ...own])].slice(0, maxOptions));
    }
  }
  return programs;
}

export function isCommand(lesson: Lesson): boolean {
  return lesson.actions().some(({ kind }) => kind === 'command');
}

interface Command {
  lesson: Lesson;
  programs: ReadonlySet<string>;
  /** Grows steeply with nearness. */
  weight: number;
}

/**
 * How similar tasks were done: one near command with its options; else the programs that most used, or the likeliest
 * combinations.
 */
export function hintFrom(strategies: readonly Lesson[], withheld: readonly Lesson[]): Chosen[] {
  const kept = commandsIn(withheld);
  const commands = commandsIn(strategies).filter((command) => !misleads(command, kept));
  const near = nearestCommand(commands.filter(({ lesson }) => lesson.shown.similarity >= hintFloor));
  if (near) return [{ lesson: near.lesson, as: 'hint' }];
  const all = [...commands, ...kept.filter(isHarmless)];
  const common = commonPrograms(all);
  if (common.length > maxPrograms) return [];
  return common.length > 0 ? [usedBy(all, common)] : likelyPrograms(all);
}

function commandsIn(lessons: readonly Lesson[]): Command[] {
  return lessons
    .filter(isCommand)
    .map((lesson) => ({
      lesson,
      programs: new Set(programsIn(lesson.actions()).keys()),
      weight: lesson.nearness ** 8,
    }))
    .filter(({ programs }) => programs.size > 0);
}

/** Least similarity of a task that may be this one in other words. */
const maybeSame = 0.8;

/** Whether nearer tasks that may be this one, and whose commands are withheld, did without any of its programs. */
function misleads({ lesson, programs }: Command, withheld: readonly Command[]): boolean {
  const nearer = withheld.filter(
    (other) => other.lesson.shown.similarity >= maybeSame && other.lesson.nearness > lesson.nearness,
  );
  const used = nearer.flatMap((other) => [...other.programs]);
  return used.length > 0 && lesson.state !== 'pinned' && !used.some((program) => programs.has(program));
}

function setOf({ programs }: Command): string {
  return [...programs].sort().join(' ');
}

/** Each task counts once, however many ways of doing it are known. */
function weightOf(some: readonly Command[]): number {
  const byTask = new Map<string, number>();
  for (const { lesson, weight } of some) {
    const task = taskNameOf(lesson.shown);
    byTask.set(task, Math.max(weight, byTask.get(task) ?? 0));
  }
  return [...byTask.values()].reduce((sum, weight) => sum + weight, 0);
}

/** The nearest command among those that use the heaviest combination of programs. */
function nearestCommand(near: readonly Command[]): Command | undefined {
  const weightWith = (one: Command) => weightOf(near.filter((other) => setOf(other) === setOf(one)));
  return near.reduce<Command | undefined>(
    (best, next) => (best === undefined || weightWith(next) > weightWith(best) ? next : best),
    undefined,
  );
}

/** Programs that carry at least half of the weight, if more than one task used them. */
function commonPrograms(commands: readonly Command[]): string[] {
  const using = (program: string) => commands.filter(({ programs }) => programs.has(program));
  const programs = [...new Set(commands.flatMap((command) => [...command.programs]))].filter(
    (program) => weightOf(using(program)) >= weightOf(commands) / 2,
  );
  return tasksOf(programs.flatMap(using)) > 1 ? programs : [];
}

/** The commands with any of these programs. */
function usedBy(commands: readonly Command[], programs: readonly string[]): Chosen {
  const users = commands.filter((command) => programs.some((program) => command.programs.has(program)));
  const lesson = users.map((command) => command.lesson).reduce(mergeLessons);
  return { lesson, as: { programs, tasks: tasksOf(users) } };
}

/** The heaviest combinations. A single task cannot recommend a program that nobody knows. */
function likelyPrograms(commands: readonly Command[]): Chosen[] {
  const combinations = [...new Set(commands.map(setOf))].map((set) => commands.filter((one) => setOf(one) === set));
  return combinations
    .filter(
      (same) => programsOf(same).length <= maxPrograms && (tasksOf(same) > 1 || programsOf(same).every(isProgram)),
    )
    .sort((a, b) => weightOf(b) - weightOf(a))
    .slice(0, maxLikely)
    .map((same) => usedBy(same, programsOf(same)));
}

/** What sorts downwards also sorts upwards. A program that changes something is no hint where that may not be wanted. */
function isHarmless({ lesson }: Command): boolean {
  return lesson.insight.effects.length === 0;
}

function programsOf([first]: readonly Command[]): string[] {
  return [...(first?.programs ?? [])];
}

function tasksOf(commands: readonly Command[]): number {
  return new Set(commands.map(({ lesson }) => taskNameOf(lesson.shown))).size;
}
