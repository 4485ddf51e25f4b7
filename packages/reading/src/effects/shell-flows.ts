import { isRoot, operandClasses, type Standing } from '../shell/operand-classes.js';
import { decoders, fetchers, interpreters, readsCodeFromInput, saidBy } from '../shell/programs.js';
import { shells } from '../shell/shell-nesting.js';
import { baseName, type ShellCommand, valuesOf, withoutFragment } from '../shell/shell-words.js';
import type { Found } from './effect-table.js';

/** What only several commands together tell: what flows from one into another, and what the script did before. */
export function addFlows(commands: readonly ShellCommand[], standing: Standing, all: Found): void {
  const pipelines = new Map<number, ShellCommand[]>();
  for (const command of commands)
    pipelines.set(command.pipeline, [...(pipelines.get(command.pipeline) ?? []), command]);
  for (const pipeline of pipelines.values()) {
    if (pipeline.length > 1) addPiped(pipeline, all);
  }
  addFetched(commands, pipelines, all);
  addShells(commands, all);
  addWhole(commands, standing, all);
}

/** What an interpreter reads from the pipe is run. */
function addPiped(pipeline: readonly ShellCommand[], all: Found): void {
  for (const command of pipeline) {
    const before = pipeline.filter(({ place }) => place < command.place);
    if (destroyers.has(command.program) && command.wrappers.includes('xargs') && before.some(namesRoot))
      all.add('destroys_all');
    if (before.length === 0 || !readsCodeFromInput(command)) continue;
    const last = before.at(-1) as ShellCommand;
    const said = saidBy(last);
    if (before.some(isSource)) all.add('runs_fetched');
    else if (last.program === 'cat' && last.operands.length > 0) all.add('changes');
    else if (said === undefined) all.add('unreadable');
    else if (interpreters.has(command.program)) all.executed.push({ kind: 'code', text: said });
  }
}

function isSource(command: ShellCommand): boolean {
  return fetchers.has(command.program) || isDecoding(command);
}

/** `ls / | xargs rm`, `echo ~ | xargs rm`. */
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

/** Output of the network as a program, a script or an operand of an interpreter; a file that is fetched and then run. */
function addFetched(
  commands: readonly ShellCommand[],
  pipelines: ReadonlyMap<number, readonly ShellCommand[]>,
  all: Found,
): void {
  const files = new Set<string>();
  let cloned = false;
  for (const command of commands) {
    if (isSource(command) && (command.use === 'program' || (command.use === 'output' && feedsProgram(command.outer))))
      all.add('runs_fetched');
    addShellInSubstitution(command, commands, all);
    if (pipelines.get(command.pipeline)?.some((other) => other.place <= command.place && isSource(other))) {
      for (const file of filesWritten(command)) files.add(file);
    }
    if (files.has(fileRun(command))) all.add('runs_fetched');
    const isBuilt = builders.has(command.program) || command.words[0]?.value?.startsWith('./');
    if (cloned && isBuilt) all.add('runs_fetched');
    if (command.program === 'git' && command.operands[0] === 'clone') cloned = true;
  }
}

/** `curl … > >(sh)`: it runs what is written into it. */
function addShellInSubstitution(command: ShellCommand, commands: readonly ShellCommand[], all: Found): void {
  const reads =
    command.use === 'output' && command.place === 0 && shells.has(command.program) && readsCodeFromInput(command);
  if (!reads || command.redirects.some(({ operator }) => operator.startsWith('<<'))) return;
  all.add(commands.some(isSource) ? 'runs_fetched' : 'unreadable');
}

/** The file that a command runs: itself by its path, or what an interpreter is given. */
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

/** Whether the output of a command inside it is its program, and not only an argument. */
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

/** A shell whose input or output is a connection. */
function addShells(commands: readonly ShellCommand[], all: Found): void {
  const sockets = commands.some(
    ({ redirects, words }) =>
      redirects.some(({ target }) => target.startsWith('/dev/tcp/') || target.startsWith('/dev/udp/')) ||
      words.some(({ text }) => text.startsWith('/dev/tcp/')),
  );
  const isShell = ({ program, inner }: ShellCommand) => shells.has(program) && !inner;
  if (sockets && commands.some(({ program }) => shells.has(program))) all.add('opens_shell');
  for (const command of commands) {
    const connects =
      connectors.has(command.program) || (command.program === 'openssl' && command.operands[0] === 's_client');
    if (connects && commands.some((other) => isShell(other) && other.pipeline === command.pipeline))
      all.add('opens_shell');
  }
}

/** What only several commands together tell. */
function addWhole(commands: readonly ShellCommand[], standing: Standing, all: Found): void {
  // A function that pipes into itself fills the machine.
  if (commands.some(({ program, definedIn, place }) => program !== '' && program === definedIn && place > 0))
    all.add('destroys_all');
  const git = commands.filter(({ program }) => program === 'git');
  const cleans = git.some(
    ({ operands, options }) => operands[0] === 'clean' && options.includes('-f') && options.includes('-d'),
  );
  if (cleans && git.some(({ operands, options }) => operands[0] === 'reset' && options.includes('--hard')))
    all.add('destroys_all');
  for (const command of commands) {
    const finder = command.program === 'find' ? command : finderOf(command, commands);
    if (
      finder &&
      findsEverything(finder, standing) &&
      (destroyers.has(command.program) || command.options.includes('-delete'))
    )
      all.add('destroys_all');
  }
}

const destroyers = new Set(['rm', 'shred', 'unlink', 'srm']);

/** The `find` that says what a command is run for. */
function finderOf(command: ShellCommand, commands: readonly ShellCommand[]): ShellCommand | undefined {
  if (command.outer?.program === 'find') return command.outer;
  if (!command.wrappers.includes('xargs')) return undefined;
  return commands.find((other) => other.program === 'find' && other.pipeline === command.pipeline);
}

const narrowing = new Set(
  (
    '-name -iname -path -ipath -wholename -regex -iregex -mtime -mmin -ctime -atime -amin -size -empty -user -group ' +
    '-newer -newermt -perm -links -inum -samefile -not'
  ).split(' '),
);

function findsEverything({ options, operands }: ShellCommand, standing: Standing): boolean {
  if (options.some((option) => narrowing.has(option)) || operands.includes('!')) return false;
  const places = operands.length === 0 ? ['.'] : operands;
  return places.some((place) => isRoot(place) || operandClasses['here']?.(place, standing) === true);
}
