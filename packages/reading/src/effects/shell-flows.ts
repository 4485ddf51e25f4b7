import { isRoot, operandClasses, type ShellContext } from '../shell/operand-classes.js';
import { decoders, fetchers, interpreters, literalOutput, readsCodeFromInput } from '../shell/programs.js';
import { shells } from '../shell/shell-nesting.js';
import { baseName, type ShellCommand, valuesOf, withoutFragment } from '../shell/shell-words.js';
import type { FindingsBuilder } from './effect-table.js';

/** Effects that only a sequence of commands reveals: data piped from one to another, files fetched earlier. */
export function addFlows(commands: readonly ShellCommand[], context: ShellContext, findings: FindingsBuilder): void {
  const pipelines = new Map<number, ShellCommand[]>();
  for (const command of commands)
    pipelines.set(command.pipeline, [...(pipelines.get(command.pipeline) ?? []), command]);
  for (const pipeline of pipelines.values()) {
    if (pipeline.length > 1) addPiped(pipeline, findings);
  }
  addFetched(commands, pipelines, findings);
  addShells(commands, findings);
  addSequences(commands, context, findings);
}

function addPiped(pipeline: readonly ShellCommand[], findings: FindingsBuilder): void {
  for (const command of pipeline) {
    const before = pipeline.filter(({ place }) => place < command.place);
    if (destroyers.has(command.program) && command.wrappers.includes('xargs') && before.some(namesRoot))
      findings.add('destroys_all');
    if (before.length === 0 || !readsCodeFromInput(command)) continue;
    const last = before.at(-1) as ShellCommand;
    const said = literalOutput(last);
    if (before.some(isSource)) findings.add('runs_fetched');
    else if (last.program === 'cat' && last.operands.length > 0) findings.add('changes');
    else if (said === undefined) findings.add('unreadable');
    else if (interpreters.has(command.program)) findings.executed.push({ kind: 'code', text: said });
  }
}

function isSource(command: ShellCommand): boolean {
  return fetchers.has(command.program) || isDecoding(command);
}

/** `ls / | xargs rm`, `echo ~ | xargs rm` */
function namesRoot({ program, operands }: ShellCommand): boolean {
  return ['ls', 'echo', 'printf'].includes(program) && operands.some((operand) => isRoot(operand));
}

function isDecoding({ program, options, operands }: ShellCommand): boolean {
  if (!decoders.has(program)) return false;
  return (
    program === 'uudecode' ||
    program === 'rev' ||
    ['-d', '-D', '-r', '--decode', '--decrypt', '-p'].some((option) => options.includes(option)) ||
    operands.includes('enc')
  );
}

/** Network output used as a program or script, and files that are fetched and then run. */
function addFetched(
  commands: readonly ShellCommand[],
  pipelines: ReadonlyMap<number, readonly ShellCommand[]>,
  findings: FindingsBuilder,
): void {
  const files = new Set<string>();
  let cloned = false;
  for (const command of commands) {
    if (isSource(command) && (command.use === 'program' || (command.use === 'output' && feedsProgram(command.outer))))
      findings.add('runs_fetched');
    addShellInSubstitution(command, commands, findings);
    if (pipelines.get(command.pipeline)?.some((other) => other.place <= command.place && isSource(other))) {
      for (const file of filesWritten(command)) files.add(file);
    }
    if (files.has(fileRun(command))) findings.add('runs_fetched');
    const isBuilt = builders.has(command.program) || command.words[0]?.value?.startsWith('./');
    if (cloned && isBuilt) findings.add('runs_fetched');
    if (command.program === 'git' && command.operands[0] === 'clone') cloned = true;
  }
}

/** `curl … > >(sh)` */
function addShellInSubstitution(
  command: ShellCommand,
  commands: readonly ShellCommand[],
  findings: FindingsBuilder,
): void {
  const reads =
    command.use === 'output' && command.place === 0 && shells.has(command.program) && readsCodeFromInput(command);
  if (!reads || command.redirects.some(({ operator }) => operator.startsWith('<<'))) return;
  findings.add(commands.some(isSource) ? 'runs_fetched' : 'unreadable');
}

/** The file a command runs: its own path, or the script given to an interpreter. */
function fileRun({ program, operands, words }: ShellCommand): string {
  if (shells.has(program) || interpreters.has(program) || program === 'source' || program === '.')
    return baseName(operands[0] ?? '');
  return words[0]?.value?.includes('/') ? program : '';
}

const builders = new Set(
  (
    'make cmake npm yarn pnpm pip pip3 python python3 cargo go mvn gradle sh bash ninja ' +
    'docker docker-compose rake bundle'
  ).split(' '),
);

/** The command runs the output as its program rather than taking it as an argument. */
function feedsProgram(outer: ShellCommand | undefined): boolean {
  if (outer === undefined) return false;
  if (shells.has(outer.program)) return !outer.options.includes('-c');
  return interpreters.has(outer.program) || outer.program === 'source' || outer.program === '.';
}

function filesWritten(command: ShellCommand): string[] {
  const named = valuesOf(command, '-o', '--output', '-O', '--output-document');
  const redirected = command.redirects.filter(({ operator }) => operator.includes('>')).map(({ target }) => target);
  const operands = fetchers.has(command.program) || command.program === 'tee' ? command.operands : [];
  const files = [...named, ...redirected, ...operands].map((file) => baseName(withoutFragment(file)));
  return files.filter((file) => file !== '' && file !== '-' && file !== 'null');
}

const connectors = new Set(['nc', 'ncat', 'netcat', 'telnet', 'socat']);

/** A shell connected to a socket. */
function addShells(commands: readonly ShellCommand[], findings: FindingsBuilder): void {
  const sockets = commands.some(
    ({ redirects, words }) =>
      redirects.some(({ target }) => target.startsWith('/dev/tcp/') || target.startsWith('/dev/udp/')) ||
      words.some(({ text }) => text.startsWith('/dev/tcp/')),
  );
  const isShell = ({ program, inner }: ShellCommand) => shells.has(program) && !inner;
  if (sockets && commands.some(({ program }) => shells.has(program))) findings.add('opens_shell');
  for (const command of commands) {
    const connects =
      connectors.has(command.program) || (command.program === 'openssl' && command.operands[0] === 's_client');
    if (connects && commands.some((other) => isShell(other) && other.pipeline === command.pipeline))
      findings.add('opens_shell');
  }
}

function addSequences(commands: readonly ShellCommand[], context: ShellContext, findings: FindingsBuilder): void {
  // Fork bomb: a function that pipes into itself.
  if (commands.some(({ program, definedIn, place }) => program !== '' && program === definedIn && place > 0))
    findings.add('destroys_all');
  const git = commands.filter(({ program }) => program === 'git');
  const cleans = git.some(
    ({ operands, options }) => operands[0] === 'clean' && options.includes('-f') && options.includes('-d'),
  );
  if (cleans && git.some(({ operands, options }) => operands[0] === 'reset' && options.includes('--hard')))
    findings.add('destroys_all');
  for (const command of commands) {
    const finder = command.program === 'find' ? command : feedingFind(command, commands);
    if (
      finder &&
      findsEverything(finder, context) &&
      (destroyers.has(command.program) || command.options.includes('-delete'))
    )
      findings.add('destroys_all');
  }
}

const destroyers = new Set(['rm', 'shred', 'unlink', 'srm']);

/** The `find` that supplies a command's arguments. */
function feedingFind(command: ShellCommand, commands: readonly ShellCommand[]): ShellCommand | undefined {
  if (command.outer?.program === 'find') return command.outer;
  if (!command.wrappers.includes('xargs')) return undefined;
  return commands.find((other) => other.program === 'find' && other.pipeline === command.pipeline);
}

const findFilters = new Set(
  (
    '-name -iname -path -ipath -wholename -regex -iregex -mtime -mmin -ctime -atime -amin -size -empty -user -group ' +
    '-newer -newermt -perm -links -inum -samefile -not'
  ).split(' '),
);

function findsEverything({ options, operands }: ShellCommand, context: ShellContext): boolean {
  if (options.some((option) => findFilters.has(option)) || operands.includes('!')) return false;
  const places = operands.length === 0 ? ['.'] : operands;
  return places.some((place) => isRoot(place) || operandClasses['here']?.(place, context) === true);
}
