import { type Action, isProgram, readShell } from '@whetstone/reading';

import type { Chosen } from './choose-lessons.js';
import { type Lesson, mergeLessons, type ReadExample } from './fold-lessons.js';
import { taskNameOf } from './hit-names.js';
import type { RelevantHit } from './judge-hits.js';

const maxOptions = 4;
/** Below this similarity, a command's options misled a real agent more often than they helped. */
const hintFloor = 0.7;

/** Programs and their options, without duplicates, in order. */
export function programsIn(actions: readonly Action[]): Map<string, string[]> {
  const programs = new Map<string, string[]>();
  for (const { kind, text } of actions) {
    if (kind !== 'command') continue;
    for (const { program, options } of readShell(text) ?? []) {
      if (!/\p{L}/u.test(program)) continue;
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

export interface NearerCommands {
  /** Of tasks whose commands are not told. Nearest first. */
  unclear: readonly RelevantHit[];
  read: ReadExample;
}

export function hintFrom(strategies: readonly Lesson[], nearer: NearerCommands): Chosen[] {
  const all = strategies.filter(isCommand).map((lesson) => ({
    lesson,
    programs: new Set(programsIn(lesson.actions()).keys()),
    weight: lesson.nearness ** 8,
  }));
  const commands = all.filter((command) => !misleads(command, nearer));
  const near = commands.filter(({ lesson, programs }) => lesson.shown.similarity >= hintFloor && programs.size > 0);
  if (near.length > 0) return nearestCommand(near);
  const common = commonPrograms(commands);
  if (common.length > maxPrograms) return [];
  return common.length > 0 ? [usedBy(commands, common)] : likelyPrograms(commands);
}

/** More of them hardly have another program. */
const maxNearer = 5;
/** Least similarity of a task that may be this one in other words. */
const maybeSame = 0.8;

/** Whether nearer tasks that may be this one, and whose commands are not told, did without any of its programs. */
function misleads({ lesson, programs }: Command, { unclear, read }: NearerCommands): boolean {
  const nearer = unclear
    .filter(({ hit, nearness }) => hit.similarity >= maybeSame && nearness > lesson.nearness)
    .slice(0, maxNearer);
  const used = nearer.flatMap(({ hit }) => [...programsIn(read(hit.insight.example ?? '')).keys()]);
  return used.length > 0 && lesson.state !== 'pinned' && !used.some((program) => programs.has(program));
}

function setOf({ programs }: Command): string {
  return [...programs].sort().join(' ');
}

function weightOf(some: readonly Command[]): number {
  return some.reduce((sum, { weight }) => sum + weight, 0);
}

/** The nearest command among those that use the heaviest combination of programs. */
function nearestCommand(near: readonly Command[]): Chosen[] {
  const weightWith = (one: Command) => weightOf(near.filter((other) => setOf(other) === setOf(one)));
  const { lesson } = near.reduce((best, next) => (weightWith(next) > weightWith(best) ? next : best));
  return [{ lesson, as: 'hint' }];
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

function tasksOf(commands: readonly Command[]): number {
  return new Set(commands.map(({ lesson }) => taskNameOf(lesson.shown))).size;
}

/** A longer list is one task’s whole pipeline: it misled a real agent. */
const maxPrograms = 2;
const maxLikely = 2;

/** The heaviest combinations of well-known programs, if no program is common: one run cannot recommend a program of its own. */
function likelyPrograms(commands: readonly Command[]): Chosen[] {
  const known = commands.filter(
    ({ programs }) => programs.size > 0 && programs.size <= maxPrograms && [...programs].every(isProgram),
  );
  const combinations = [...new Set(known.map(setOf))].map((set) => known.filter((command) => setOf(command) === set));
  return combinations
    .sort((a, b) => weightOf(b) - weightOf(a))
    .slice(0, maxLikely)
    .map((same) => usedBy(same, [...(same[0]?.programs ?? [])]));
}
