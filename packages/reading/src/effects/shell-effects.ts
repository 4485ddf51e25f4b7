import type { Effect } from '@whetstone/contracts';
import { type CommandFacts, compilePattern, factsOf } from '../shell/command-patterns.js';
import {
  changingWords,
  destroyingWords,
  isProgram,
  reaches,
  readingPrograms,
  readingWords,
  writingOptions,
} from '../shell/known-programs.js';
import { hidesInVariable, operandClasses, type ShellContext } from '../shell/operand-classes.js';
import { codeOf, interpreters, isDatabaseClient, sqlOf } from '../shell/programs.js';
import { onlyRunsAnother, shells } from '../shell/shell-nesting.js';
import { readShell } from '../shell/shell-reader.js';
import { type ShellCommand, valuesOf } from '../shell/shell-words.js';
import { codeTextEffects } from './code-effects.js';
import {
  assignmentRows,
  commandRows,
  createFindings,
  type EffectRow,
  type Findings,
  type FindingsBuilder,
  redirectRows,
} from './effect-table.js';
import { addFlows } from './shell-flows.js';
import { writtenBy } from './written-texts.js';

const rowsByProgram = new Map<string, { row: EffectRow; matches: (facts: CommandFacts) => boolean }[]>();
for (const row of commandRows) {
  const { programs, matches } = compilePattern(row.pattern);
  for (const program of programs) rowsByProgram.set(program, [...(rowsByProgram.get(program) ?? []), { row, matches }]);
}

/**
 * Effects of the commands in a script, and the code and SQL they pass on. Programs and script files that nobody knows count
 * as changes, unless only what is known is asked for.
 */
export function shellEffects(text: string, only?: 'known'): Findings {
  const commands = readShell(text);
  const findings = createFindings();
  if (fetchesInPowerShell(text)) findings.add('runs_fetched');
  if (commands === undefined) {
    findings.add('unreadable');
    return findings;
  }
  const context: ShellContext = { directory: undefined };
  for (const command of commands) {
    addEffects(command, { ...context, unknown: only ? undefined : 'changes' }, findings);
    if (command.program === 'cd' || command.program === 'pushd') context.directory = command.operands[0] ?? '~';
  }
  addFlows(commands, context, findings);
  const written = writtenBy(commands).join('\n');
  for (const effect of [...codeTextEffects(written), ...laterEffects(written)]) findings.add(effect);
  return findings;
}

const mostLaterLines = 200;
const longestLaterLine = 500;
/** What stands before a command in a build file, a workflow or a list of scripts. */
const beforeCommand = /^[\s@'"-]*(?:(?:RUN|CMD|ENTRYPOINT)\s|["']?[\w.-]{1,40}["']?\s*[:=]\s)?[\s'"|>[]*/;

/** Effects of the commands in a text that is written to be run later, as far as one run alone should never teach them. */
export function laterEffects(text: string): Effect[] {
  const lines = text.split(/\n|\\n/).slice(0, mostLaterLines);
  return lines
    .filter(({ length }) => length <= longestLaterLine)
    .flatMap((line) => {
      const commands = readShell(line.replace(/^(?:\\t)+/, '').replace(beforeCommand, '')) ?? [];
      if (!commands.some(({ program }) => isProgram(program))) return [];
      const findings = createFindings();
      addFlows(commands, { directory: undefined }, findings);
      const sends = commands.some(({ program, place }) => place > 0 && reaches(program));
      return [
        ...[...findings.effects].filter((effect) => unattended.has(effect)),
        ...(sends ? ['connects' as const] : []),
      ];
    });
}

const unattended: ReadonlySet<Effect> = new Set(['runs_fetched', 'opens_shell']);

const powerShellRunners = ['iex', 'invoke-expression', 'start-process'];
const powerShellFetchers =
  'iwr irm invoke-webrequest invoke-restmethod downloadstring downloadfile curl wget frombase'.split(' ');

/** PowerShell does not parse as shell: `iex (iwr …)`, `(New-Object Net.WebClient).DownloadString(…) | iex`. */
function fetchesInPowerShell(text: string): boolean {
  const words = new Set(
    text
      .slice(0, 10_000)
      .toLowerCase()
      .split(/[^a-z-]+/),
  );
  return powerShellRunners.some((word) => words.has(word)) && powerShellFetchers.some((word) => words.has(word));
}

interface EffectContext extends ShellContext {
  unknown: Effect | undefined;
}

function addEffects(command: ShellCommand, context: EffectContext, findings: FindingsBuilder): void {
  if (command.unreadable) findings.add('unreadable');
  for (const { pattern, effect } of assignmentRows) {
    if (command.assigns.some((assign) => assign.startsWith(pattern))) findings.add(effect);
  }
  if (command.assigns.some(hidesInVariable)) findings.add('unreadable');
  addRedirects(command, context, findings);
  if (command.program === '' || command.unreadable) return;
  const facts = factsOf(command, context);
  const program = command.program.toLowerCase();
  const family = program.includes('.') ? `${program.split('.', 1)[0]}.*` : program;
  const rows = [...new Set([program, family, '*'])].flatMap((name) => rowsByProgram.get(name) ?? []);
  const effects = new Set(rows.filter(({ matches }) => matches(facts)).map(({ row }) => row.effect));
  for (const effect of effects) findings.add(effect);
  for (const executed of [...codeOf(command), ...sqlOf(command)]) findings.executed.push(executed);
  const own = defaultEffect(command, context.unknown);
  if (own !== undefined && !effects.has('destroys') && !effects.has('destroys_all')) findings.add(own);
}

const infoOptions = new Set(['--help', '--dry-run']);
/** Options that make any command destroy something. Others, such as `--rm`, `--clean` and `--prune`, mostly tidy up after it. */
const destroyingOption = /^--?(?:delete|destroy|drop|erase|purge|terminate|uninstall|wipe)(?:=|$)/;

/** The effect when no row matches: by program, else by sub-command. */
function defaultEffect(command: ShellCommand, unknown: Effect | undefined): Effect | undefined {
  const { program, options, operands } = command;
  if (options.some((option) => infoOptions.has(option))) return undefined;
  if (operands.length === 0 && options.includes('--version')) return undefined;
  if (options.some((option) => destroyingOption.test(option))) return 'destroys';
  if (readingPrograms.has(program)) {
    return options.some((option) => writingOptions.get(program)?.includes(option)) ? 'changes' : undefined;
  }
  if (interpreters.has(program)) return interpreterEffect(command, unknown);
  if (isDatabaseClient(program)) return readsStatementsFromFile(command) ? 'changes' : undefined;
  if (shells.has(program))
    return operands.length > 0 && !options.includes('-c') && !options.includes('-n') ? unknown : undefined;
  if (operands.length === 0 && options.length === 1 && ['-h', '-V', '-v', '-version'].includes(options[0] ?? ''))
    return undefined;
  if (listsByDefault(command) || onlyRunsAnother(program, operands)) return undefined;
  const effect = effectOfSubcommand(command, unknown);
  // What nobody knows may erase the disk that it is given, and run the code that it is given.
  if (effect === undefined || unknown === undefined || isProgram(program)) return effect;
  if (operands.some((operand) => operandClasses['device']?.(operand, { directory: undefined }))) return 'destroys_all';
  return valuesOf(command, '-e', '-c', '--eval', '--execute').some((value) => /[({"'`]/.test(value))
    ? 'unreadable'
    : effect;
}

function effectOfSubcommand({ program, operands }: ShellCommand, unknown: Effect | undefined): Effect | undefined {
  const depth = subcommandDepth.get(program) ?? 2;
  for (const [at, word] of operands.slice(0, depth && deepestDestroying).entries()) {
    // `apps:destroy`, `delete-stack`
    const [first = ''] = word.slice(word.lastIndexOf(':') + 1).split('-');
    if (at < depth && (isReading(program, word) || readingWords.has(first))) return undefined;
    if (destroyingWords.has(word) || destroyingWords.has(first)) return 'destroys';
    if (changingWords.has(word) || changingWords.has(first)) return 'changes';
  }
  return passThrough.has(program) ? undefined : unknown;
}

/** `pip freeze` lists packages; whatever else is frozen has changed. */
function isReading(program: string, word: string): boolean {
  return readingWords.has(word) || (word === 'freeze' && program.startsWith('pip'));
}

/** How many words to search for the one that names the operation: `gcloud compute instances list` needs four. */
const subcommandDepth = new Map<string, number>([
  ['gcloud', 4],
  ['az', 3],
  ...'mv cp mkdir touch tee ln tar chmod chown'.split(' ').map((program): [string, number] => [program, 0]),
]);
/** Further back it may still say that something is destroyed: `doctl compute droplet delete`. */
const deepestDestroying = 4;

/** These have the effects of the command they run. */
const passThrough = new Set(['ssh', 'sudo', 'su']);

/** Sub-commands that list when given no operand: `git branch`, `git remote -v`, `git config --get`. */
function listsByDefault({ program, options, operands }: ShellCommand): boolean {
  if (program === 'tar') return options.includes('-t') || /^-?[a-z]*t[a-z]*$/.test(operands[0] ?? '');
  if (program === 'unzip') return options.includes('-l');
  if (program === 'mount') return operands.length === 0;
  // Rows cover everything these do beyond listing and probing.
  if (program === 'crontab' || program === 'at' || program === 'kill') return true;
  if (program !== 'git') return false;
  if (operands[0] === 'clean' && options.includes('-n')) return true;
  if (options.includes('--get') || options.includes('--list') || options.includes('-l')) return true;
  return (
    operands.length === 1 && ['branch', 'tag', 'remote', 'stash-list', 'worktree', 'notes'].includes(operands[0] ?? '')
  );
}

function readsStatementsFromFile({ options, redirects }: ShellCommand): boolean {
  return options.includes('-f') || options.includes('--file') || redirects.some(({ operator }) => operator === '<');
}

const harmlessModules = new Set(
  'pytest unittest json.tool timeit cProfile doctest py_compile this mypy ruff flake8 pylint site sysconfig'.split(' '),
);

/** A script file may change anything; inline code is read for its own effects. */
function interpreterEffect(command: ShellCommand, unknown: Effect | undefined): Effect | undefined {
  const [module] = valuesOf(command, '-m');
  if (module !== undefined && command.program.startsWith('py')) {
    if (harmlessModules.has(module)) return undefined;
    return module === 'pip' && command.operands.some((word) => isReading(module, word)) ? undefined : 'changes';
  }
  if (command.options.includes('-i') && !command.program.startsWith('py') && command.program !== 'node')
    return 'changes';
  const ownScript = command.operands.length > 0 || command.redirects.some(({ operator }) => operator === '<');
  return codeOf(command).length === 0 && ownScript ? unknown : undefined;
}

const nonFiles = new Set(['-', '&-', '/dev/null', '/dev/stdout', '/dev/stderr', '/dev/tty']);

function isFile(target: string): boolean {
  return !nonFiles.has(target) && !target.startsWith('/dev/fd/') && Number.isNaN(Number(target.replace('&', '')));
}

const outputOptions = ['-o', '--output', '-fprint', '-fprintf', '-fls', '--output-file', '--output-document'];

function addRedirects(command: ShellCommand, context: ShellContext, findings: FindingsBuilder): void {
  addTargets(valuesOf(command, ...outputOptions), context, findings);
  for (const { operator, target } of command.redirects) {
    if (operandClasses['socket']?.(target, context)) findings.add('connects');
    if (!operator.includes('>') || !isFile(target)) continue;
    if (!target.startsWith('/dev/tcp') && !target.startsWith('/dev/udp')) findings.add('changes');
    addTargets([target], context, findings);
  }
}

/** Files that start something or give rights. */
function addTargets(targets: readonly string[], context: ShellContext, findings: FindingsBuilder): void {
  for (const { pattern, effect } of redirectRows) {
    const isOf = operandClasses[pattern.slice(1)];
    if (targets.some((target) => isOf?.(target, context))) findings.add(effect);
  }
}
