import { type Action, readShell } from '@whetstone/reading';

import type { Chosen } from './choose-lessons.js';
import { type Lesson, together } from './fold-lessons.js';

const mostOptions = 4;
/** At tasks that are less alike, the options of a command led a real agent astray more often than they helped. */
const hintFloor = 0.7;

/** The programs of commands with their options, each once, in their order. */
export function programsIn(actions: readonly Action[]): Map<string, string[]> {
  const programs = new Map<string, string[]>();
  for (const { kind, text } of actions) {
    if (kind !== 'command') continue;
    for (const { program, options } of readShell(text) ?? []) {
      if (program === '') continue;
      const known = programs.get(program) ?? [];
      programs.set(program, [...new Set([...known, ...options])].slice(0, mostOptions));
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
  /** A nearer task counts for much more. */
  weight: number;
}

export function hintFrom(strategies: readonly Lesson[]): Chosen[] {
  const commands = strategies.filter(isCommand).map((lesson) => ({
    lesson,
    programs: new Set(programsIn(lesson.actions()).keys()),
    weight: lesson.nearness ** 8,
  }));
  const near = commands.filter(({ lesson, programs }) => lesson.shown.similarity >= hintFloor && programs.size > 0);
  return near.length > 0 ? nearestOf(near) : mostUsed(commands);
}

/** Of the programs that the nearest commands used together, those that weigh most: the nearest that used them. */
function nearestOf(near: readonly Command[]): Chosen[] {
  const setOf = ({ programs }: Command) => [...programs].sort().join(' ');
  const weightOf = (one: Command) =>
    near.reduce((sum, other) => sum + (setOf(other) === setOf(one) ? other.weight : 0), 0);
  const { lesson } = near.reduce((best, next) => (weightOf(next) > weightOf(best) ? next : best));
  return [{ lesson, as: 'hint' }];
}

/** The programs that make up half of the weight, where they were used at more than one task. */
function mostUsed(commands: readonly Command[]): Chosen[] {
  const weightOf = (some: readonly Command[]) => some.reduce((sum, { weight }) => sum + weight, 0);
  const using = (program: string) => commands.filter(({ programs }) => programs.has(program));
  const programs = [...new Set(commands.flatMap((command) => [...command.programs]))].filter(
    (program) => weightOf(using(program)) >= weightOf(commands) / 2,
  );
  const [first, ...others] = [...new Set(programs.flatMap(using))].map(({ lesson }) => lesson);
  if (!first || others.every(({ shown }) => shown.intent === first.shown.intent)) return [];
  return [{ lesson: others.reduce(together, first), as: { programs } }];
}
