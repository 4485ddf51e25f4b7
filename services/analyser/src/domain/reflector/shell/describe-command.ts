import { listed } from '../bounded-text.js';
import { readStages, type ShellStage } from './shell-command.js';
import { findPredicates, wordsFor } from './shell-vocabulary.js';

export interface CommandWords {
  /** The programs, in order, each once. */
  programs: string[];
  /** One clause a stage, general: options stay, names, patterns and amounts go. */
  clauses: string[];
  /** "find, sort and uniq", or "find with -delete" where one program does it all. */
  title: string;
}

const subcommandPrograms = new Set([
  'git',
  'docker',
  'kubectl',
  'helm',
  'npm',
  'npx',
  'yarn',
  'cargo',
  'go',
  'pip',
  'pip3',
  'systemctl',
  'apt',
  'apt-get',
  'brew',
  'terraform',
  'aws',
  'gcloud',
  'make',
  'conda',
  'poetry',
  'service',
]);

/** Says in general words how a command line does its work. */
export function describeCommand(command: string): CommandWords {
  const stages = readStages(command);
  const programs = [...new Set(stages.map(({ program }) => program))];
  return { programs, clauses: stages.map(clauseOf), title: titleOf(stages, programs) };
}

function clauseOf(stage: ShellStage): string {
  if (stage.program === 'find') return findClause(stage);
  const shown = shownCall(stage);
  const words = wordsFor(stage.program);
  if (!words) return `${stage.link === 'run' ? 'running ' : ''}\`${shown}\``;
  const added = optionWords(stage);
  const instead = added.find((phrase) => phrase.startsWith('='))?.slice(1);
  const further = added.filter((phrase) => !phrase.startsWith('='));
  const sentence = `\`${shown}\` ${instead ?? words.does}${further.length === 0 ? '' : ` ${listed(further)}`}`;
  return `${sentence}${special(stage)}`;
}

/** What the words of a stage tell beyond its options. */
function special({ program, words }: ShellStage): string {
  const script = words.find((word) => !word.startsWith('-')) ?? '';
  if (program === 'awk' && /\+=|\+\+/.test(script))
    return /END/.test(script) ? ' (summing up, printed at END)' : ' (summing up)';
  if (program === 'awk' && /!\w+\[/.test(script)) return ' (each line once, order kept)';
  if (program === 'awk' && /print \$/.test(script)) return ' (printing chosen fields)';
  if (program === 'sed' && /^s(\W).*\1/.test(script)) return ' (substituting)';
  if (program === 'sed' && /d$/.test(script)) return ' (deleting lines)';
  if (/^(?:echo|printf)$/.test(program) && words.some((word) => word.includes('$((')))
    return ' (after some arithmetic)';
  return '';
}

const fileTypes = new Map([
  ['f', 'regular files'],
  ['d', 'folders'],
  ['l', 'links'],
]);

function findClause({ words, options }: ShellStage): string {
  const own = ownPredicates(options);
  const type = words[words.indexOf('-type') + 1] ?? '';
  const what = (own.includes('type') ? fileTypes.get(type) : undefined) ?? 'files';
  const by = own
    .filter((name) => Object.hasOwn(findPredicates, name))
    .map((name) => `${findPredicates[name]} (\`-${name}\`)`);
  const limits = own.includes('maxdepth') || own.includes('mindepth') ? ' to a limited depth (`-maxdepth`)' : '';
  const without = own.includes('prune')
    ? ', skipping folders (`-prune`)'
    : words.includes('!') || own.includes('not')
      ? ', with an exclusion (`!`)'
      : '';
  return `\`find\` selects ${what}${by.length === 0 ? '' : ` by ${listed([...new Set(by)])}`}${limits}${without}${findDeed(own, words)}`;
}

function findDeed(own: readonly string[], words: readonly string[]): string {
  if (own.includes('delete')) return ' and deletes them itself (`-delete`)';
  if (own.includes('exec') || own.includes('execdir')) {
    const naming = own.includes('print') ? ', naming each (`-print`)' : '';
    return words.includes('+')
      ? ` and hands all matches over at once (\`-exec … +\`)${naming}`
      : ` and hands over one match at a time (\`-exec … \\;\`)${naming}`;
  }
  if (own.includes('print0')) return ', NUL-separated (`-print0`, safe for spaces)';
  if (own.includes('printf')) return ' and prints chosen fields (`-printf`)';
  return '';
}

function ownPredicates(options: readonly string[]): string[] {
  return options.map((option) => option.replace(/^-+/, ''));
}

/** The program with its options and, where it has them, its subcommand: what can be said without naming the task. */
export function shownCall({ program, options, words }: ShellStage): string {
  if (words[0] === '-m' && words[1] !== undefined) return `${program} -m ${words[1]}`;
  const sub = subcommandPrograms.has(program)
    ? words.filter((word) => /^[a-z][a-z-]{1,20}$/.test(word)).slice(0, 2)
    : [];
  const shown = sub.length > 0 ? sub : options.slice(0, 4);
  return [program, ...shown].join(' ');
}

/** A command line by the calls of its programs, as they follow on each other: `find -name | xargs rm && ls`. */
export function shownLine(command: string, most = 3): string | undefined {
  const all = readStages(command);
  const stages = all.filter(({ program }) => program !== 'cd');
  const line = (stages.length > 0 ? stages : all).slice(0, most).reduce<ShownLine | undefined>(withCall, undefined);
  return line && `\`${line.text}\``;
}

interface ShownLine {
  text: string;
  last: ShellStage;
}

const givenACommand = new Set(['find', 'xargs', 'sh', 'bash']);

function withCall(line: ShownLine | undefined, stage: ShellStage): ShownLine {
  const call = shownCall(stage);
  if (!line) return { text: call, last: stage };
  if (stage.link !== 'run')
    return { text: `${line.text}${stage.link === ';' ? ';' : ` ${stage.link}`} ${call}`, last: stage };
  const isGiven = givenACommand.has(line.last.program);
  return { text: `${line.text} ${isGiven ? call : `$(${call})`}`, last: stage };
}

function optionWords({ program, options }: ShellStage): string[] {
  const known = wordsFor(program)?.options ?? {};
  const words = options.flatMap((option) => {
    const name = option.replace(/^-+/, '');
    if (Object.hasOwn(known, name)) return [known[name] ?? ''];
    return option.startsWith('--')
      ? []
      : [...name].filter((letter) => Object.hasOwn(known, letter)).map((letter) => known[letter] ?? '');
  });
  return [...new Set(words)].slice(0, 4);
}

function titleOf(stages: readonly ShellStage[], programs: readonly string[]): string {
  const [only] = stages;
  if (programs.length === 0 || only === undefined) return '';
  if (programs.length === 1) {
    const own =
      only.program === 'find'
        ? ownPredicates(only.options)
            .filter((name) => name !== 'type')
            .map((name) => `-${name}`)
        : only.options;
    const call = subcommandPrograms.has(only.program) ? `\`${shownCall(only)}\`` : `\`${only.program}\``;
    const with_ = [...new Set(own)].slice(0, 3).map((option) => `\`${option}\``);
    return with_.length === 0 || subcommandPrograms.has(only.program) ? call : `${call} with ${listed(with_)}`;
  }
  return listed(programs.slice(0, 5).map((program) => `\`${program}\``));
}
