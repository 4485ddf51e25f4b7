import { type Action, readShell } from '@whetstone/reading';

const mostOptions = 4;

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
