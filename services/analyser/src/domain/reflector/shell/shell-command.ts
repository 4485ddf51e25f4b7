import { takeOutHeredocs } from './heredocs.js';
import { isCmdlet, isKnownProgram } from './shell-vocabulary.js';
import { type Link, splitCommands } from './split-commands.js';

/** One program of a command line, as it was called. */
export interface ShellStage {
  program: string;
  /** As written, without values: `-type`, `-rn`, `--exclude`. */
  options: string[];
  /** Everything after the program, quotes removed. */
  words: string[];
  link: Link;
}

const scanLimit = 2_000;
const prefixes = new Set([
  'sudo',
  'time',
  'nohup',
  'command',
  'env',
  'then',
  'do',
  'else',
  'if',
  'while',
  'until',
  '!',
  '{',
  '(',
]);
const notPrograms = new Set([
  'done',
  'fi',
  'for',
  'case',
  'esac',
  'in',
  'function',
  '}',
  ')',
  '',
  '[',
  '[[',
  '((',
  'read',
  ':',
  'true',
  'false',
]);
const runners = new Set(['xargs', 'sh', 'bash']);
/** Programs that run programs that run programs: nobody means more. */
const deepestRun = 8;

/** The programs that a command line runs, in order, those inside `$(…)`, `-exec` and `xargs` included. Linear. */
export function readStages(command: string): ShellStage[] {
  const stages: ShellStage[] = [];
  const bare = takeOutHeredocs(command).command.replace(/^#.*$/gm, '');
  for (const { words, link } of splitCommands(bare.slice(0, scanLimit))) {
    const first = words.findIndex((word) => !prefixes.has(word) && !/^\w+=/.test(word));
    if (first >= 0) addStage(stages, words.slice(first), link);
  }
  return stages;
}

function addStage(stages: ShellStage[], [program = '', ...words]: string[], link: Link, depth = 0): void {
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (depth > deepestRun || notPrograms.has(name) || !isProgramName(name)) return;

  const { own, executed } = name === 'find' ? withoutExecuted(words) : { own: words, executed: [] };
  stages.push({
    program: name,
    words,
    options: optionsOf(name === 'xargs' ? words.slice(0, startOfRun(words)) : own),
    link,
  });
  for (const run of executed) addStage(stages, run, 'run', depth + 1);
  if (runners.has(name)) addRun(stages, name, words, depth + 1);
}

/** `i++` only counts; `g++` compiles. */
function isProgramName(name: string): boolean {
  return /^[A-Za-z_.][\w.+-]{0,39}$/.test(name) && (!name.endsWith('++') || /^(?:g|c|clang)\+\+$/.test(name));
}

/** What `find` is told itself, and the commands between `-exec` and the `;` or `+` that ends them. */
function withoutExecuted(words: readonly string[]): { own: string[]; executed: string[][] } {
  const own: string[] = [];
  const executed: string[][] = [];
  let run: string[] | undefined;
  for (const word of words) {
    if (run === undefined) {
      own.push(word);
      if (/^-(?:exec|execdir|ok)$/.test(word)) {
        run = [];
        executed.push(run);
      }
    } else if (word === ';' || word === '+') run = undefined;
    else if (word !== '{}') run.push(word);
  }
  return { own, executed };
}

/** What `xargs` and `sh -c` run. */
function addRun(stages: ShellStage[], name: string, words: string[], depth: number): void {
  if (name === 'xargs') {
    addStage(stages, words.slice(startOfRun(words)), 'run', depth);
    return;
  }
  const script = words[words.indexOf('-c') + 1];
  if (words.includes('-c') && script !== undefined) stages.push(...readStages(script).map(asRun));
}

const xargsOptionsWithValue = new Set(['-I', '-n', '-P', '-L', '-d', '-E', '-a', '-s']);

/** Where the options of `xargs` end and the command that it runs begins. */
function startOfRun(words: readonly string[]): number {
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? '';
    if (xargsOptionsWithValue.has(word)) at += 2;
    else if (word.startsWith('-') || /^[{}%@]+$/.test(word)) at++;
    else break;
  }
  return at;
}

function asRun(stage: ShellStage): ShellStage {
  return { ...stage, link: 'run' };
}

function optionsOf(words: readonly string[]): string[] {
  return words.filter((word) => /^--?[A-Za-z]|^-0$/.test(word)).map((word) => (word.split('=', 1)[0] ?? word).trim());
}

const shellSyntax =
  /(?:^|\s)--?[A-Za-z]|\||&&|[<>]{1,2} ?\S|\$[({\w]|\*\.|(?:^|\s)(?:\.{0,2}\/|~\/)|\{\}|=["']|"[^"]*"$/;

/** Comments before a command, the line that names its shell included, do not make it words. */
function firstCommandLine(text: string): string {
  const lines = text.slice(0, scanLimit).split('\n', 20);
  const first = lines.find((line) => line.trim() !== '' && !line.startsWith('#')) ?? lines[0] ?? '';
  return first.trimStart().slice(0, 400);
}

/** Programs that are words as well: alone, each may be the label or the answer that somebody asked for. */
const alsoAnswers = new Set(
  'test time set type free host last more less top watch screen groups install who join find make cut sort split head tail touch patch cat go node file kill history date true'.split(
    ' ',
  ),
);

/**
 * Whether a decision is a command line. `maybe`: it could be, and could as well be words ("find the user"); the rest of
 * the run decides.
 */
export function looksLikeShell(text: string): 'yes' | 'maybe' | 'no' {
  const line = firstCommandLine(text);
  const first = /^(?:sudo +)?(?:\w+=\S* +)*([\w./~+-]+)/.exec(line)?.[1] ?? '';
  const program = first.slice(first.lastIndexOf('/') + 1);
  const known = isKnownProgram(program) || /^(?:for|while|if|cd|export|source)$/.test(program);
  const isPath = /^(?:\.{0,2}|~)\/[\w./-]+$/.test(first);
  if (!known && !isPath)
    return shellSyntax.test(line) && /^[a-z][\w.-]* +-{1,2}[a-z]/.test(line)
      ? 'yes'
      : /^\w+=\$\(/.test(line)
        ? 'yes'
        : 'no';
  if (isCmdlet(program) || shellSyntax.test(line)) return 'yes';
  if (program === 'yes') return 'no';
  const words = line.split(' ').length;
  if (words === 1 && alsoAnswers.has(program)) return 'maybe';
  if (/[.?!,:]$/.test(line) && words > 3) return 'no';
  return words <= 2 ? 'yes' : 'maybe';
}
