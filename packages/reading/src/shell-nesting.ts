import { baseName, type ShellWord, takesValue } from './shell-words.js';

/** Programs that run what follows them and change only how it runs, with those of their options that take the next word. */
const wrappers: Record<string, string> = {
  sudo: '-u -g -h -p -C -D -R -T -U -r -t --user --group',
  doas: '-u -C',
  env: '-u -C --unset --chdir',
  time: '-f -o',
  timeout: '-s -k --signal --kill-after',
  nice: '-n --adjustment',
  ionice: '-c -n',
  xargs: '-I -n -P -d -L -s -E -a --max-args --max-procs --delimiter --arg-file',
  exec: '-a',
  stdbuf: '-i -o -e',
  strace: '-o -e -p -s',
  flock: '-w -E',
  nsenter: '-t --target',
  caffeinate: '-t',
  pkexec: '--user',
  runuser: '-u -g',
  proxychains: '-f',
};
for (const name of 'nohup command builtin busybox toybox setsid chroot taskset unshare fakeroot unbuffer torsocks'.split(
  ' ',
))
  wrappers[name] = '';

/** These have an operand of their own before the command begins. */
const withOperand = new Set(['timeout', 'chroot', 'taskset', 'flock']);

/** With these the wrapper itself answers and runs nothing. */
const asksOnly: Record<string, string> = { command: '-v -V', sudo: '-l -v -k', env: '--version' };

/** With these the wrapper has a script in a string, which is read as one. */
const takesScript: Record<string, readonly string[]> = {
  env: ['-S', '--split-string'],
  flock: ['-c', '--command'],
  runuser: ['-c', '--command'],
};

/** Wrappers of two words, such as `uv run`. */
const runners: Record<string, string> = {
  uv: 'run',
  poetry: 'run',
  pipenv: 'run',
  pdm: 'run',
  hatch: 'run',
  bundle: 'exec',
  rbenv: 'exec',
  pyenv: 'exec',
  dotenv: 'run',
  op: 'run',
  doppler: 'run',
};

export interface Unwrapped {
  wrappers: string[];
  /** The words that were taken off. */
  before: readonly ShellWord[];
  words: readonly ShellWord[];
  assigns: string[];
}

const wrappersTaken = 10;

/** Takes off what stands before the program that does the work. */
export function unwrap(words: readonly ShellWord[]): Unwrapped {
  const taken: string[] = [];
  const assigns: string[] = [];
  let rest = words;
  while (taken.length < wrappersTaken) {
    const name = rest[0]?.value;
    if (name === undefined) break;
    const program = baseName(name);
    const next = Object.hasOwn(wrappers, program) ? behindWrapper(program, rest, assigns) : behindRunner(program, rest);
    if (next === undefined || next >= rest.length) break;
    taken.push(program);
    rest = rest.slice(next);
  }
  return { wrappers: taken, before: words.slice(0, words.length - rest.length), words: rest, assigns };
}

function behindWrapper(program: string, words: readonly ShellWord[], assigns: string[]): number | undefined {
  const valued = wrappers[program]?.split(' ') ?? [];
  const asking = asksOnly[program]?.split(' ') ?? [];
  let toSkip = withOperand.has(program) ? 1 : 0;
  let at = 1;
  while (at < words.length) {
    const text = words[at]?.value ?? words[at]?.text ?? '';
    if (asking.includes(text)) return undefined;
    if (takesScript[program]?.includes(text)) return undefined;
    if (text === '--') return at + 1 + toSkip;
    if (text.startsWith('-') && text.length > 1) at += valued.includes(text) ? 2 : 1;
    else if ((program === 'env' || program === 'sudo') && text.indexOf('=') > 0) {
      assigns.push(text);
      at += 1;
    } else if (toSkip > 0) {
      toSkip -= 1;
      at += 1;
    } else return at;
  }
  return undefined;
}

function behindRunner(program: string, words: readonly ShellWord[]): number | undefined {
  if (!Object.hasOwn(runners, program) || words[1]?.value !== runners[program]) return undefined;
  let at = 2;
  while (words[at]?.value?.startsWith('-')) at += words[at]?.value === '--with' ? 2 : 1;
  return at;
}

export const shells = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'mksh', 'ash', 'fish', 'csh', 'tcsh', 'rbash']);

/** What a command runs beside itself: a script in one string, or the words of another command. */
export type Nested = { script: string } | { words: readonly ShellWord[] };

export interface NestedCommands {
  nested: Nested[];
  /** The words that are the outer command's own. */
  own: readonly ShellWord[];
}

const takesCommandString = new Set(['su', 'script', 'runuser', 'flock']);
const containers = new Set(['docker', 'podman', 'nerdctl', 'docker-compose']);
const clusters = new Set(['kubectl', 'oc', 'k3s', 'lxc', 'incus', 'crictl']);

/** Whether all that a command does is done by the command inside of it: `docker exec web ls`. */
export function onlyRunsAnother(program: string, operands: readonly string[]): boolean {
  return (containers.has(program) || clusters.has(program)) && operands.slice(0, 2).includes('exec');
}

/** The commands inside of a command's words. */
export function nestedIn(program: string, words: readonly ShellWord[]): NestedCommands {
  const texts = words.map((word) => word.value ?? unquoted(word.text));
  const only = (script: string | undefined): NestedCommands => ({
    nested: script === undefined ? [] : [{ script }],
    own: words,
  });
  if (shells.has(program) || takesCommandString.has(program)) return only(scriptOfShell(texts, program));
  if (program === 'eval') return only(texts.slice(1).join(' '));
  if (program === 'trap') return only(texts.length > 2 ? texts[1] : undefined);
  if (program === 'env') return only(splitString(texts));
  if (program === 'alias') return aliased(words, texts);
  if (program === 'cmd' || program === 'cmd.exe') return behindOption(words, texts, ['/c', '/k']);
  if (program === 'powershell' || program === 'pwsh' || program === 'powershell.exe')
    return behindOption(words, texts, ['-c', '-command']);
  if (program === 'find' || program === 'fd' || program === 'fdfind') return executedBy(words, texts);
  if (Object.hasOwn(scriptOperands, program)) return joined(program, words, texts);
  if (containers.has(program)) return inContainer(words, texts);
  if (clusters.has(program)) return behindDashes(words, texts);
  return { nested: [], own: words };
}

/** The text of a word in double quotes, its expansions left as they are, to be read as a script. */
function unquoted(text: string): string {
  const inner = text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
  return inner.replace(/\\(["$`\\])/g, '$1');
}

function scriptOfShell(texts: readonly string[], program: string): string | undefined {
  for (let at = 1; at < texts.length; at++) {
    const text = texts[at] ?? '';
    if ((text.startsWith('-') && text.endsWith('c') && !text.startsWith('--')) || text === '--command')
      return texts[at + 1];
    if (text.startsWith('--command=')) return text.slice('--command='.length);
    if (!text.startsWith('-') && !text.startsWith('+') && shells.has(program)) return undefined;
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

/** Programs that join their operands into one script, and how many operands of their own stand before it. */
const scriptOperands: Record<string, number> = { ssh: 1, mosh: 1, watch: 0, parallel: 0, sg: 1 };

function joined(program: string, words: readonly ShellWord[], texts: readonly string[]): NestedCommands {
  let before = scriptOperands[program] ?? 0;
  let at = 1;
  for (; at < texts.length; at++) {
    const text = texts[at] ?? '';
    if (text.startsWith('-') && text.length > 1) at += takesValue(program, text) ? 1 : 0;
    else if (before > 0) before -= 1;
    else break;
  }
  const end = program === 'parallel' ? texts.findIndex((text) => text.startsWith(':::')) : -1;
  const script = texts.slice(at, end < 0 ? undefined : end).join(' ');
  return { nested: script === '' ? [] : [{ script }], own: words.slice(0, at) };
}

/** `alias x='…'` runs it later. */
function aliased(words: readonly ShellWord[], texts: readonly string[]): NestedCommands {
  const scripts = texts.slice(1).filter((text) => text.includes('='));
  return { nested: scripts.map((text) => ({ script: text.slice(text.indexOf('=') + 1) })), own: words };
}

function behindOption(
  words: readonly ShellWord[],
  texts: readonly string[],
  options: readonly string[],
): NestedCommands {
  const at = texts.findIndex((text) => options.includes(text.toLowerCase()));
  if (at < 0 || at + 1 >= texts.length) return { nested: [], own: words };
  return { nested: [{ script: texts.slice(at + 1).join(' ') }], own: words.slice(0, at + 1) };
}

function splitString(texts: readonly string[]): string | undefined {
  const at = texts.findIndex((text) => text === '-S' || text === '--split-string');
  return at < 0 ? undefined : texts.slice(at + 1).join(' ');
}

/** Options of `docker exec` and `docker run` without a value; all others have one. */
const containerFlags = new Set(
  '--rm --init --privileged --tty --interactive --detach --read-only --no-deps --publish-all --quiet'.split(' '),
);

function isContainerFlag(option: string): boolean {
  return containerFlags.has(option) || [...option.slice(1)].every((letter) => 'itdTP'.includes(letter));
}

function inContainer(words: readonly ShellWord[], texts: readonly string[]): NestedCommands {
  const at = texts.findIndex((text, place) => place > 0 && (text === 'exec' || text === 'run'));
  if (at < 0) return { nested: [], own: words };
  let name = at + 1;
  while (name < texts.length && texts[name]?.startsWith('-')) {
    const option = texts[name] ?? '';
    name += option.includes('=') || isContainerFlag(option) ? 1 : 2;
  }
  return from(words, name + 1);
}

function behindDashes(words: readonly ShellWord[], texts: readonly string[]): NestedCommands {
  const dashes = texts.indexOf('--');
  const runs = texts.slice(1, Math.max(dashes, 1)).some((text) => text === 'exec' || text === 'run');
  return runs ? from(words, dashes + 1) : { nested: [], own: words };
}

function from(words: readonly ShellWord[], start: number): NestedCommands {
  const inner = words.slice(start);
  return { nested: inner.length > 0 ? [{ words: inner }] : [], own: words.slice(0, start) };
}
