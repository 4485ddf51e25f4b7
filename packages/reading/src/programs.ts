import type { Executed } from './executed.js';
import { shells } from './shell-nesting.js';
import { baseName, type ShellCommand, valuesOf } from './shell-words.js';

/** Programs whose output comes from elsewhere. */
export const fetchers = new Set(
  'curl wget http https xh aria2c axel fetch lynx w3m nc ncat netcat iwr irm invoke-webrequest ftp tftp'.split(' '),
);

/** Programs that make one text out of another, so that what is run cannot be seen. */
export const decoders = new Set('base64 base32 xxd openssl uudecode gpg rev basenc'.split(' '));

/** The text that `echo`, `printf` or `cat <<` says, where nothing in it changes when it is said. */
export function saidBy(command: ShellCommand): string | undefined {
  const { program, operands, words } = command;
  if (program === 'cat') return operands.length === 0 ? inputOf(command)[0] : undefined;
  if ((program !== 'echo' && program !== 'printf') || words.some(({ value }) => value === undefined)) return undefined;
  const said = operands.join(' ');
  return said.includes('\\') || (program === 'printf' && said.includes('%')) ? undefined : said;
}

/** Programs that run code, with the options that are followed by it. */
const codeOptions: Record<string, readonly string[]> = {
  python: ['-c'],
  python2: ['-c'],
  python3: ['-c'],
  py: ['-c'],
  pypy3: ['-c'],
  node: ['-e', '--eval', '-p', '--print'],
  nodejs: ['-e', '--eval', '-p'],
  deno: ['eval'],
  bun: ['-e', '--eval'],
  ruby: ['-e'],
  perl: ['-e', '-E'],
  php: ['-r'],
  lua: ['-e'],
  Rscript: ['-e'],
  mongosh: ['--eval'],
  mongo: ['--eval'],
};

export const interpreters = new Set(Object.keys(codeOptions).filter((name) => name !== 'mongosh' && name !== 'mongo'));

/** Whether it takes what comes through the pipe as a program: it is given neither a file nor code. */
export function readsCodeFromInput(command: ShellCommand): boolean {
  const { program, options, operands } = command;
  if (shells.has(program))
    return (
      !options.includes('-c') &&
      (options.includes('-s') || operands.every((operand) => operand === '-' || operand === '/dev/stdin'))
    );
  if (!interpreters.has(program) || program === 'deno' || program === 'bun')
    return program === 'deno' && operands.includes('-');
  const given = codeOptions[program]?.some((option) => options.includes(option)) || options.includes('-m');
  return (
    !given &&
    operands.every((operand) => operand === '-' || operand === '/dev/stdin') &&
    !options.some((option) => ['--version', '-V', '-n', '-p', '-v'].includes(option))
  );
}

/** The code that a command is given as text. */
export function codeOf(command: ShellCommand): Executed[] {
  if (command.program === 'awk' || command.program === 'gawk' || command.program === 'mawk') {
    const [text = ''] = command.operands;
    return [{ kind: 'code', text }, ...pipedByAwk(text)];
  }
  const options = codeOptions[command.program];
  if (options === undefined) return [];
  const texts = valuesOf(command, ...options);
  if (command.program === 'deno' && command.operands[0] === 'eval') texts.push(command.operands[1] ?? '');
  if (readsCodeFromInput(command)) texts.push(...inputOf(command));
  const code: Executed[] = texts.map((text) => ({ kind: 'code', text }));
  return inBackticks.has(command.program) ? [...code, ...texts.flatMap(commandsInBackticks)] : code;
}

/** `print | "sort"` and `"date" | getline` run what stands in quotes. */
function pipedByAwk(text: string): Executed[] {
  const strings = text.split('"');
  const piped = strings.filter((_, at) => {
    const before = strings[at - 1]?.trimEnd() ?? '';
    const after = strings[at + 1]?.trimStart() ?? '';
    const reads = after.startsWith('|') && after.slice(1).trimStart().startsWith('getline');
    return at % 2 === 1 && (before.endsWith('|') || before.endsWith('|&') || reads);
  });
  // A shell runs what is printed into it.
  const isShell = (command: string) => shells.has(baseName(command.trim()));
  return piped.map((command) => ({ kind: 'command', text: isShell(command) ? '$unknown' : command }));
}

/** Languages that run what stands in backticks. */
const inBackticks = new Set(['ruby', 'perl', 'php']);

function commandsInBackticks(code: string): Executed[] {
  return code
    .split('`')
    .filter((_, place) => place % 2 === 1)
    .map((text) => ({ kind: 'command', text }));
}

const databases: Record<string, readonly string[]> = {
  psql: ['-c', '--command'],
  mysql: ['-e', '--execute'],
  mariadb: ['-e', '--execute'],
  sqlite3: [],
  duckdb: ['-c'],
  sqlcmd: ['-Q', '-q'],
  clickhouse: ['-q', '--query'],
  'clickhouse-client': ['-q', '--query'],
  bq: [],
};

export function isDatabaseClient(program: string): boolean {
  return Object.hasOwn(databases, program) || program === 'mongosh' || program === 'mongo';
}

/** The statements that a database client is given. */
export function sqlOf(command: ShellCommand): Executed[] {
  const options = databases[command.program];
  if (options === undefined) return [];
  const texts = [...valuesOf(command, ...options), ...inputOf(command)];
  if (command.program === 'sqlite3' || command.program === 'bq' || command.program === 'duckdb')
    texts.push(...command.operands.slice(1));
  return texts
    .filter((text) => !['.', '\\'].includes(text.trimStart().charAt(0)))
    .map((text) => ({ kind: 'sql', text }));
}

function inputOf(command: ShellCommand): string[] {
  return command.redirects.filter(({ operator }) => operator.startsWith('<<')).map(({ target }) => target);
}
