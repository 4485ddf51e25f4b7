import { baseName, type ShellWord, takesValue } from './shell-words.js';

/** Programs that run the command after them, with their options that take a value. */
const wrappers = new Map<string, readonly string[]>();
for (const row of [
  'sudo -u -g -h -p -C -D -R -T -U -r -t --user --group',
  'doas -u -C',
  'env -u -C --unset --chdir',
  'time -f -o',
  'timeout -s -k --signal --kill-after',
  'nice -n --adjustment',
  'ionice -c -n',
  'xargs -I -n -P -d -L -s -E -a --max-args --max-procs --delimiter --arg-file',
  'exec -a',
  'stdbuf -i -o -e',
  'strace -o -e -p -s',
  'flock -w -E',
  'nsenter -t --target',
  'caffeinate -t',
  'pkexec --user',
  'runuser -u -g',
  'proxychains -f',
  ...'nohup command builtin busybox toybox setsid chroot taskset unshare fakeroot unbuffer torsocks'.split(' '),
]) {
  const [program = '', ...options] = row.split(' ');
  wrappers.set(program, options);
}

/** Wrappers with an operand of their own before the command. */
const withOperand = new Set(['timeout', 'chroot', 'taskset', 'flock']);

/** Options with which the wrapper runs no command, or a script in a string that is read separately. */
const notWrappingOptions = new Map<string, readonly string[]>(
  Object.entries({
    command: ['-v', '-V'],
    sudo: ['-l', '-v', '-k'],
    env: ['--version', '-S', '--split-string'],
    flock: ['-c', '--command'],
  }),
);

/** Two-word wrappers such as `uv run`. */
const runners = new Map([
  ...'uv poetry pipenv pdm hatch dotenv op doppler'.split(' ').map((program) => [program, 'run'] as const),
  ...'bundle rbenv pyenv'.split(' ').map((program) => [program, 'exec'] as const),
]);

export interface Unwrapped {
  wrappers: string[];
  /** The words removed. */
  before: readonly ShellWord[];
  words: readonly ShellWord[];
  assigns: string[];
}

const mostWrappers = 10;

/** Strips wrappers from a command. */
export function unwrap(words: readonly ShellWord[]): Unwrapped {
  const taken: string[] = [];
  const assigns: string[] = [];
  let rest = words;
  while (taken.length < mostWrappers) {
    const program = baseName(rest[0]?.value ?? '');
    const next = wrappers.has(program) ? endOfWrapper(program, rest, assigns) : endOfRunner(program, rest);
    if (next === undefined || next >= rest.length) break;
    taken.push(program);
    rest = rest.slice(next);
  }
  return { wrappers: taken, before: words.slice(0, words.length - rest.length), words: rest, assigns };
}

function endOfWrapper(program: string, words: readonly ShellWord[], assigns: string[]): number | undefined {
  // Without `-u`, `runuser` takes its arguments as `su` does.
  if (program === 'runuser' && !words.some(({ value = '' }) => /^-u|^--user\b/.test(value))) return undefined;
  let toSkip = withOperand.has(program) ? 1 : 0;
  for (let at = 1; at < words.length; at++) {
    const text = words[at]?.value ?? words[at]?.text ?? '';
    if (notWrappingOptions.get(program)?.includes(text)) return undefined;
    if (text === '--') return at + 1 + toSkip;
    if (text.startsWith('-') && text.length > 1) at += wrappers.get(program)?.includes(text) ? 1 : 0;
    else if ((program === 'env' || program === 'sudo') && text.indexOf('=') > 0) assigns.push(text);
    else if (toSkip === 0) return at;
    else toSkip -= 1;
  }
  return undefined;
}

function endOfRunner(program: string, words: readonly ShellWord[]): number | undefined {
  if (!runners.has(program) || words[1]?.value !== runners.get(program)) return undefined;
  let at = 2;
  while (words[at]?.value?.startsWith('-')) at += words[at]?.value === '--with' ? 2 : 1;
  return at;
}

export const shells = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish', 'csh', 'tcsh']);

/** A nested command: a script in one string, or words. */
export type Nested = { script: string } | { words: readonly ShellWord[] };

export interface NestedCommands {
  nested: Nested[];
  /** Words of the outer command itself. */
  own: readonly ShellWord[];
}

const containers = new Set(['docker', 'podman', 'nerdctl', 'docker-compose']);
const clusters = new Set(['kubectl', 'oc', 'k3s', 'lxc', 'incus', 'crictl']);

const nesting = new Set(
  'su script runuser flock eval trap env alias cmd cmd.exe powershell powershell.exe pwsh ansible find fd fdfind parallel watch ssh mosh sg'.split(
    ' ',
  ),
);

/** Whether the commands that a program is given are read, too. */
export function nestsCommands(program: string): boolean {
  return [shells, containers, clusters, nesting].some((programs) => programs.has(program));
}

/** Whether a command has no effect beyond that of its nested command: `docker exec web ls`. */
export function onlyRunsAnother(program: string, operands: readonly string[]): boolean {
  return (containers.has(program) || clusters.has(program)) && operands.slice(0, 2).includes('exec');
}

export function nestedIn(program: string, words: readonly ShellWord[]): NestedCommands {
  const texts = words.map((word) => word.value ?? unquoted(word.text));
  const scripts = (...found: (string | undefined)[]): NestedCommands => ({
    nested: found.flatMap((script) => (script === undefined || script === '' ? [] : [{ script }])),
    own: words,
  });
  const scriptFrom = (start: number, end?: number): NestedCommands =>
    start < 1 ? scripts() : { ...scripts(texts.slice(start, end).join(' ')), own: words.slice(0, start) };
  const commandFrom = (start: number): NestedCommands => {
    const inner = start < 1 ? [] : words.slice(start);
    return { nested: inner.length > 0 ? [{ words: inner }] : [], own: start < 1 ? words : words.slice(0, start) };
  };
  const behind = (...options: string[]) => texts.findIndex((text) => options.includes(text.toLowerCase())) + 1;

  if (shells.has(program)) return scripts(scriptOfShell(texts, true));
  if (containers.has(program)) return commandFrom(startInContainer(texts));
  if (clusters.has(program)) return commandFrom(startInCluster(texts));
  switch (program) {
    case 'su':
    case 'script':
    case 'runuser':
    case 'flock':
      return scripts(scriptOfShell(texts, false));
    case 'eval':
      return scripts(texts.slice(1).join(' '));
    case 'trap':
      return scripts(texts.length > 2 ? texts[1] : undefined);
    case 'env':
      return { ...scriptFrom(behind('-s', '--split-string')), own: words };
    case 'alias':
      return scripts(...texts.slice(1).map((text) => text.split('=').slice(1).join('=')));
    case 'cmd':
    case 'cmd.exe':
      return scriptFrom(behind('/c', '/k'));
    case 'powershell':
    case 'powershell.exe':
    case 'pwsh':
      return scriptFrom(behind('-c', '-command'));
    case 'find':
    case 'fd':
    case 'fdfind':
      return executedBy(words, texts);
    case 'parallel': {
      const end = texts.findIndex((text) => text.startsWith(':::'));
      return scriptFrom(startOfOperands(program, texts, 0), end < 0 ? undefined : end);
    }
    case 'watch':
      return scriptFrom(startOfOperands(program, texts, 0));
    case 'ansible':
      return scripts(texts[behind('-a', '--args') || texts.length]);
    case 'ssh':
    case 'mosh':
    case 'sg':
      return scriptFrom(startOfOperands(program, texts, 1));
    default:
      return { nested: [], own: words };
  }
}

/** The content of double quotes with expansions left in, to be read as a script. */
function unquoted(text: string): string {
  const inner = text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
  return inner.replace(/\\(["$`\\])/g, '$1');
}

function scriptOfShell(texts: readonly string[], endsAtOperand: boolean): string | undefined {
  for (let at = 1; at < texts.length; at++) {
    const text = texts[at] ?? '';
    if ((text.startsWith('-') && text.endsWith('c') && !text.startsWith('--')) || text === '--command')
      return texts[at + 1];
    if (text.startsWith('--command=')) return text.slice('--command='.length);
    if (endsAtOperand && !text.startsWith('-') && !text.startsWith('+')) return undefined;
  }
  return undefined;
}

const executing = new Set(['-exec', '-execdir', '-ok', '-okdir', '-x', '-X', '--exec', '--exec-batch']);

function executedBy(words: readonly ShellWord[], texts: readonly string[]): NestedCommands {
  const nested: Nested[] = [];
  const own: ShellWord[] = [];
  for (let at = 0; at < texts.length; at++) {
    own.push(words[at] as ShellWord);
    if (at === 0 || !executing.has(texts[at] ?? '')) continue;
    let end = at + 1;
    while (end < texts.length && texts[end] !== ';' && texts[end] !== '+') end += 1;
    nested.push({ words: words.slice(at + 1, end) });
    at = end;
  }
  return { nested, own };
}

/** Index where the operands that form one script begin, after `own` operands of the program. */
function startOfOperands(program: string, texts: readonly string[], own: number): number {
  let left = own;
  for (let at = 1; at < texts.length; at++) {
    const text = texts[at] ?? '';
    if (text.startsWith('-') && text.length > 1) at += takesValue(program, text) ? 1 : 0;
    else if (left === 0) return at;
    else left -= 1;
  }
  return texts.length;
}

/** Options of `docker exec` and `docker run` that take no value. */
const containerFlags = new Set(
  '--rm --init --privileged --tty --interactive --detach --read-only --no-deps --publish-all --quiet'.split(' '),
);

function startInContainer(texts: readonly string[]): number {
  let at = texts.findIndex((text, place) => place > 0 && (text === 'exec' || text === 'run')) + 1;
  if (at === 0) return 0;
  while (at < texts.length && texts[at]?.startsWith('-')) {
    const option = texts[at] ?? '';
    const isFlag = containerFlags.has(option) || [...option.slice(1)].every((letter) => 'itdTP'.includes(letter));
    at += isFlag || option.includes('=') ? 1 : 2;
  }
  return at + 1;
}

function startInCluster(texts: readonly string[]): number {
  const dashes = texts.indexOf('--');
  return texts.slice(1, Math.max(dashes, 1)).some((text) => text === 'exec' || text === 'run') ? dashes + 1 : 0;
}
