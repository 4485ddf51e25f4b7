/** `value` is the argument the program receives; undefined if it depends on an expansion. */
export interface ShellWord {
  text: string;
  value: string | undefined;
}

export interface ShellRedirect {
  operator: string;
  /** File or descriptor; for `<<` and `<<<`, the text. */
  target: string;
}

export interface ShellCommand {
  /** Base name; empty if nothing is run (`> file`, `X=1`) or the program is unknown. */
  program: string;
  /** Sorted flags, combined ones split, long options without values. For `find` and the like: whole, in order. */
  options: string[];
  operands: string[];
  /** The program and its arguments, without wrappers. */
  words: ShellWord[];
  assigns: string[];
  redirects: ShellRedirect[];
  /** Wrappers with their options, as written. */
  before: ShellWord[];
  /** Programs that only change how it runs: sudo, env, timeout, xargs, nohup. */
  wrappers: string[];
  /** Position in its pipeline, from 0. Commands in a group share the group's position. */
  place: number;
  pipeline: number;
  /** Nested in `$( )`, `-exec`, `sh -c`, `eval` or `xargs`. */
  inner: boolean;
  /** The program is unknown: its name is an expansion, or nesting is too deep. */
  unreadable: boolean;
  /** The enclosing command. */
  outer?: ShellCommand;
  /** How the enclosing command uses it: runs it, takes its output as a word, or executes its output. */
  use?: 'runs' | 'output' | 'program';
  /** The function whose body contains it. */
  definedIn?: string;
  /** Position in the text; absent if read out of a quoted string. */
  span?: { start: number; end: number };
}

/** Programs with long options after a single dash; these are never split. */
export const singleDash = new Set(
  (
    'find java javac terraform tofu packer vault consul nomad gcc g++ clang ffmpeg ffprobe openssl go test [ ' +
    'powershell pwsh dotnet'
  ).split(' '),
);

/**
 * Options with a value. Needed for programs with sub-commands, where `kubectl -n web get pods` would otherwise have the sub-
 * command `web`, and for programs whose operands name what is reached or destroyed.
 */
const valued: Record<string, string> = {
  git: '-C -c --git-dir --work-tree',
  kubectl:
    '-n --namespace --context --kubeconfig -s --server --cluster --user -f --filename -o --output -l --selector -c',
  oc: '-n --namespace --context --kubeconfig -f -o -l',
  helm: '-n --namespace --kube-context --kubeconfig -f --values --set',
  docker: '-H --host --context --config -v --volume -e --env --name -p --publish -w --workdir -u --user --network',
  podman: '-v --volume -e --env --name -p --publish -w --workdir -u --user --network',
  'docker-compose': '-f --file -p --project-name',
  aws: '--profile --region --output --endpoint-url --query',
  gcloud: '--project --account --configuration --zone --region --format',
  az: '--subscription -g --resource-group -n --name -o --output --query',
  gh: '-R --repo',
  npm: '--prefix -w --workspace',
  systemctl: '-H --host -t --type',
  crontab: '-u',
  make: '-C -f',
  ssh: '-p -i -l -o -F -L -R -D -J -b -c -E -e -I -m -O -Q -S -W -w',
  scp: '-P -i -l -o -F -J -c -S',
  rsync: '-e --exclude --include --rsh',
  curl: '-X --request -H --header -d --data --data-raw --data-binary --data-urlencode -F --form -o --output -u --user -A -e -b -c -T --upload-file -m --max-time -x --proxy --connect-timeout --retry -w --write-out --cacert --cert --key',
  wget: '-O --output-document -o -P --directory-prefix -U --user-agent --header --post-data --post-file --method --body-data --body-file -t --tries -T',
  watch: '-n -d --interval',
  parallel: '-j --jobs -I --delay -a -N',
  'mv cp': '-t --target-directory -S',
  cut: '-d -f -c -b --delimiter --fields',
  sort: '-k -t -o -S -T --key --field-separator',
  awk: '-F -v -f',
  sed: '-e -f -l',
  tar: '-f -C --file --directory -T -X',
  grep: '-e -f -m -A -B -C --include --exclude --exclude-dir',
  'head tail': '-n -c',
  usermod: '-G -g -d -s -u -l -c -e --groups',
  truncate: '-s --size -r',
  mysql: '-u -h -P -D -e --execute --host --user',
  psql: '-U -h -p -d -c -f --command --host --username --dbname',
};

const valuedOptions = new Map(
  Object.entries(valued).flatMap(([programs, names]) =>
    programs.split(' ').map((program) => [program, new Set(names.split(' '))] as const),
  ),
);

export function takesValue(program: string, option: string): boolean {
  return valuedOptions.get(program)?.has(option) ?? false;
}

export interface Arguments {
  options: string[];
  operands: string[];
}

export function baseName(word: string): string {
  const slash = word.lastIndexOf('/');
  return slash >= 0 && slash < word.length - 1 ? word.slice(slash + 1) : word;
}

/** Separates options from operands. Values of known options are neither. */
export function sortArguments(program: string, words: readonly ShellWord[]): Arguments {
  const whole = singleDash.has(program);
  const options: string[] = [];
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as ShellWord;
    const text = word.value ?? word.text;
    if (text === '--') {
      operands.push(...words.slice(at + 1).map((rest) => rest.value ?? rest.text));
      break;
    }
    if (!isOption(text)) {
      operands.push(text);
      continue;
    }
    const names = whole ? [text.split('=', 1)[0] ?? text] : splitOption(text);
    options.push(...names);
    const last = names.at(-1) ?? '';
    if (text.endsWith(last.slice(1)) && takesValue(program, last)) at += 1;
  }
  return { options: whole ? options : [...new Set(options)].sort(), operands };
}

function isOption(text: string): boolean {
  return text.length > 1 && text.startsWith('-') && Number.isNaN(Number(text));
}

/** `-rf` is `-r -f`; `-n5` is `-n`; `--name=x` is `--name`; after a single dash, more than five letters are one name. */
export function splitOption(text: string): string[] {
  if (text.startsWith('--')) return [text.split('=', 1)[0] ?? text];
  const letters = /^-([A-Za-z]+)/.exec(text)?.[1] ?? '';
  // `-qO-`: the final dash is the value of `-O`.
  const isWhole = text === `-${letters}` || text === `-${letters}-`;
  if (letters.length === 1 || (isWhole && letters.length <= 5)) return [...letters].map((letter) => `-${letter}`);
  return [text.split('=', 1)[0] ?? text];
}

/** Values of an option: `-o x`, `-ox`, `--output x`, `--output=x`. */
export function valuesOf(command: ShellCommand, ...names: string[]): string[] {
  const values: string[] = [];
  const words = command.words;
  for (let at = 1; at < words.length; at++) {
    const text = words[at]?.value ?? words[at]?.text ?? '';
    const next = words[at + 1];
    for (const name of names) {
      const long = name.length > 2;
      if (text === name || (!long && splitOption(text).length > 1 && text.endsWith(name.slice(1)))) {
        if (next) values.push(next.value ?? next.text);
      } else if (long && text.startsWith(`${name}=`)) values.push(text.slice(name.length + 1));
      else if (!long && text.startsWith(name)) values.push(text.slice(2));
    }
  }
  return values;
}

/** Quotes a word if the shell would expand or split it. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function isFlag(word: string): boolean {
  return /^--?[A-Za-z]/.test(word);
}

export function isQuoted(text: string): boolean {
  return ['"', "'", '\\'].some((mark) => text.includes(mark));
}

export function hasWildcard(text: string): boolean {
  return ['*', '?', '[', '{'].some((mark) => text.includes(mark));
}

/** A URL without query and fragment. */
export function withoutFragment(address: string): string {
  return address.split('?', 1)[0]?.split('#', 1)[0] ?? '';
}
