import { readingPrograms } from './known-programs.js';
import {
  disablesSafeguard,
  hidesCommand,
  mountsHost,
  namesAddress,
  operandClasses,
  runsAnybodysFile,
  runsByGit,
  type ShellContext,
} from './operand-classes.js';
import { type ShellCommand, valuesOf } from './shell-words.js';

/** A command and what patterns test about it, computed once. */
export interface CommandFacts {
  command: ShellCommand;
  operands: readonly string[];
  /** Lower case. */
  words: readonly string[];
  joined: string;
  context: ShellContext;
}

type Test = (facts: CommandFacts) => boolean;

export interface CommandPattern {
  programs: readonly string[];
  matches: Test;
}

export function factsOf(command: ShellCommand, context: ShellContext): CommandFacts {
  const words = command.words.map(({ value, text }) => (value ?? text).toLowerCase());
  return { command, operands: command.operands, words, joined: words.join(' '), context };
}

/** Compiles the notation described in `effect-table.ts`. */
export function compilePattern(pattern: string): CommandPattern {
  const [programs = '', ...rest] = pattern.split(' ');
  let place = 0;
  const tests = rest.map((token) => {
    const negated = token.startsWith('!');
    const test = compileToken(negated ? token.slice(1) : token, place);
    if (!'!@><~=-'.includes(token.charAt(0))) place += 1;
    return negated ? (facts: CommandFacts) => !test(facts) : test;
  });
  return { programs: programs.split('|'), matches: (facts) => tests.every((test) => test(facts)) };
}

function compileToken(token: string, place: number): Test {
  const names = (from: number) => token.slice(from).split('|');
  if (token === '@none') return ({ operands }) => operands.length === 0;
  if (token === '@address') return ({ command }) => !isAboutText(command) && namesAddress(command);
  if (token === '@anybodys') return ({ command }) => runsAnybodysFile(command);
  if (token === '@hidden') return ({ command }) => hidesCommand(command);
  if (token === '@gitruns') return ({ command }) => runsByGit(command);
  if (token === '@hostmount') return ({ command }) => mountsHost(command);
  if (token === '@unguarded') return ({ command }) => command.options.some(disablesSafeguard);
  if (token.startsWith('@')) {
    const isOf = classNamed(token.slice(1));
    // User groups are option values rather than operands.
    if (token === '@powerful') return ({ words, context }) => words.slice(1).some((word) => isOf(word, context));
    return ({ operands, context }) => operands.some((operand) => isOf(operand, context));
  }
  if (token.startsWith('>@')) {
    const isOf = classNamed(token.slice(2));
    return ({ command, operands, context }) =>
      [operands.at(-1) ?? '', ...valuesOf(command, '-t', '--target-directory')].some((target) => isOf(target, context));
  }
  if (token.startsWith('<@')) {
    const isOf = classNamed(token.slice(2));
    return ({ command, operands, context }) => {
      const sources = command.options.includes('-t') ? operands : operands.slice(0, -1);
      return sources.some((operand) => isOf(operand, context));
    };
  }
  if (token.startsWith('~')) {
    const texts = names(1).map((text) => (text.startsWith('~') ? text.slice(1) : text));
    return ({ joined }) => texts.some((text) => joined.includes(text));
  }
  if (token.startsWith('=')) {
    const whole = new Set(names(1));
    return ({ words }) => words.some((word) => whole.has(word));
  }
  const alternatives = new Set(names(0));
  if (token.startsWith('-')) return ({ command }) => command.options.some((option) => alternatives.has(option));
  return ({ operands }) => alternatives.has((operands[place] ?? '').toLowerCase());
}

const talkingCommands = new Set(['commit', 'tag', 'notes', 'log', 'grep', 'show']);

/** Programs that search, print or note down what they are given. */
function isAboutText({ program, operands }: ShellCommand): boolean {
  if (program === 'git') return talkingCommands.has(operands[0] ?? '');
  return readingPrograms.has(program) || program === 'gh';
}

function classNamed(name: string): NonNullable<(typeof operandClasses)[string]> {
  const found = operandClasses[name];
  if (found === undefined) throw new Error(`there is no class of operands called ${name}`);
  return found;
}
