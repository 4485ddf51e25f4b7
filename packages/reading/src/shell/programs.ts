import type { Executed } from '../actions/executed.js';
import { shells } from './shell-nesting.js';
import { baseName, type ShellCommand, valuesOf } from './shell-words.js';

/** Programs that output data from the network. */
export const fetchers = new Set(
  'curl wget http https xh aria2c axel fetch lynx w3m nc ncat netcat iwr irm invoke-webrequest ftp tftp'.split(' '),
);

/** Programs that decode text and thereby hide what is run. */
export const decoders = new Set('base64 base32 xxd openssl uudecode gpg rev'.split(' '));

/** The literal output of `echo`, `printf` or `cat <<`; undefined if it contains escapes or formats. */
export function literalOutput(command: ShellCommand): string | undefined {
  const { program, operands, words } = command;
  if (program === 'cat') return operands.length === 0 ? inputOf(command)[0] : undefined;
  if ((program !== 'echo' && program !== 'printf') || words.some(({ value }) => value === undefined)) return undefined;
  const said = operands.join(' ');
  return said.includes('\\') || (program === 'printf' && said.includes('%')) ? undefined : said;
}

/** Interpreters and their options for inline code. */
const codeOptions = new Map<string, readonly string[]>([
  ...['python', 'python2', 'python3'].map((program) => [program, ['-c']] as const),
  ...['node', 'nodejs', 'bun'].map((program) => [program, ['-e', '--eval', '-p', '--print']] as const),
  ...['ruby', 'lua', 'Rscript'].map((program) => [program, ['-e']] as const),
  ['perl', ['-e', '-E']],
  ['php', ['-r']],
  ['deno', ['eval']],
  ['mongosh', ['--eval']],
  ['mongo', ['--eval']],
]);

export const interpreters = new Set([...codeOptions.keys()].filter((name) => !name.startsWith('mongo')));

const fromInput = new Set(['-', '/dev/stdin']);

/** Whether it executes its standard input, being given neither a file nor inline code. */
export function readsCodeFromInput({ program, options, operands }: ShellCommand): boolean {
  const namesNothing = operands.every((operand) => fromInput.has(operand));
  if (shells.has(program)) return !options.includes('-c') && (options.includes('-s') || namesNothing);
  if (program === 'deno') return operands.includes('-');
  if (!interpreters.has(program) || program === 'bun') return false;
  return namesNothing && !codeOptions.get(program)?.some((option) => options.includes(option));
}

/** Inline code of a command. */
export function codeOf(command: ShellCommand): Executed[] {
  if (['awk', 'gawk', 'mawk'].includes(command.program)) {
    const [text = ''] = command.operands;
    return [{ kind: 'code', text }, ...pipedByAwk(text)];
  }
  const options = codeOptions.get(command.program);
  if (options === undefined) return [];
  const texts = valuesOf(command, ...options);
  if (command.program === 'deno' && command.operands[0] === 'eval') texts.push(command.operands[1] ?? '');
  if (readsCodeFromInput(command)) texts.push(...inputOf(command));
  const code: Executed[] = texts.map((text) => ({ kind: 'code', text }));
  return inBackticks.has(command.program) ? [...code, ...texts.flatMap(commandsInBackticks)] : code;
}

/** awk executes quoted commands: `print | "sort"`, `"date" | getline`. */
function pipedByAwk(text: string): Executed[] {
  const strings = text.split('"');
  const piped = strings.filter((_, at) => {
    const before = strings[at - 1]?.trimEnd() ?? '';
    const after = strings[at + 1]?.trimStart() ?? '';
    const reads = after.startsWith('|') && after.slice(1).trimStart().startsWith('getline');
    return at % 2 === 1 && (before.endsWith('|') || before.endsWith('|&') || reads);
  });
  // Input piped into a shell is executed too, and unknown.
  const isShell = (command: string) => shells.has(baseName(command.trim()));
  return piped.map((command) => ({ kind: 'command', text: isShell(command) ? '$unknown' : command }));
}

/** Languages that execute backticks. */
const inBackticks = new Set(['ruby', 'perl', 'php']);

function commandsInBackticks(code: string): Executed[] {
  return code
    .split('`')
    .filter((_, place) => place % 2 === 1)
    .map((text) => ({ kind: 'command', text }));
}

/** Database clients and their options for inline SQL. */
const databases = new Map<string, readonly string[]>([
  ['psql', ['-c', '--command']],
  ['mysql', ['-e', '--execute']],
  ['mariadb', ['-e', '--execute']],
  ['sqlite3', []],
  ['duckdb', ['-c']],
  ['sqlcmd', ['-Q', '-q']],
  ['clickhouse-client', ['-q', '--query']],
  ['bq', []],
]);

export function isDatabaseClient(program: string): boolean {
  return databases.has(program) || program === 'mongosh' || program === 'mongo';
}

/** Inline SQL of a database client. */
export function sqlOf(command: ShellCommand): Executed[] {
  const options = databases.get(command.program);
  if (options === undefined) return [];
  const operands = ['sqlite3', 'bq', 'duckdb'].includes(command.program) ? command.operands.slice(1) : [];
  const texts = [...valuesOf(command, ...options), ...inputOf(command), ...operands];
  return texts
    .filter((text) => !['.', '\\'].includes(text.trimStart().charAt(0)))
    .map((text) => ({ kind: 'sql', text }));
}

/** Here-documents and here-strings. */
export function inputOf(command: ShellCommand): string[] {
  return command.redirects.filter(({ operator }) => operator.startsWith('<<')).map(({ target }) => target);
}
