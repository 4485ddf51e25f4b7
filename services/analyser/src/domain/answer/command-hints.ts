import { type Action, readShell } from '@whetstone/reading';

import type { Chosen } from './choose-lessons.js';
import { type Lesson, mergeLessons } from './fold-lessons.js';
import { taskNameOf } from './hit-names.js';

const maxOptions = 4;
/** Below this similarity, a command's options misled a real agent more often than they helped. */
const hintFloor = 0.7;

/** Programs and their options, without duplicates, in order. */
export function programsIn(actions: readonly Action[]): Map<string, string[]> {
  const programs = new Map<string, string[]>();
  for (const { kind, text } of actions) {
    if (kind !== 'command') continue;
    for (const { program, options } of readShell(text) ?? []) {
      if (program === '') continue;
      const known = programs.get(program) ?? [];
      programs.set(program, [...new Set([...known, ...options])].slice(0, maxOptions));
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

export function hintFrom(strategies: readonly Lesson[]): Chosen[] {
  const commands = strategies.filter(isCommand).map((lesson) => ({
    lesson,
    programs: new Set(programsIn(lesson.actions()).keys()),
    weight: lesson.nearness ** 8,
  }));
  const near = commands.filter(({ lesson, programs }) => lesson.shown.similarity >= hintFloor && programs.size > 0);
  return near.length > 0 ? nearestCommand(near) : commonPrograms(commands);
}

/** The nearest command among those that use the heaviest combination of programs. */
function nearestCommand(near: readonly Command[]): Chosen[] {
  const setOf = ({ programs }: Command) => [...programs].sort().join(' ');
  const weightOf = (one: Command) =>
    near.reduce((sum, other) => sum + (setOf(other) === setOf(one) ? other.weight : 0), 0);
  const { lesson } = near.reduce((best, next) => (weightOf(next) > weightOf(best) ? next : best));
  return [{ lesson, as: 'hint' }];
}

/** Programs that carry at least half of the weight, if more than one task used them. */
function commonPrograms(commands: readonly Command[]): Chosen[] {
  const weightOf = (some: readonly Command[]) => some.reduce((sum, { weight }) => sum + weight, 0);
  const using = (program: string) => commands.filter(({ programs }) => programs.has(program));
  const programs = [...new Set(commands.flatMap((command) => [...command.programs]))].filter(
    (program) => weightOf(using(program)) >= weightOf(commands) / 2,
  );
  const [first, ...others] = [...new Set(programs.flatMap(using))].map(({ lesson }) => lesson);
  if (!first || others.every(({ shown }) => taskNameOf(shown) === taskNameOf(first.shown))) return [];
  return [{ lesson: others.reduce(mergeLessons, first), as: { programs } }];
}
