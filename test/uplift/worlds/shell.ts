import {
  chmod,
  chown,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { runInSandbox, strangerId } from '../sandbox.js';
import { codeIn, family, type Task, type World } from '../world.js';

/** Content by path; a folder ends with a slash, a link begins with an arrow, a program with `#!`. */
type Files = Record<string, string>;

interface ShellTask extends Task {
  /** Expected output lines, in any order unless `ordered`. */
  out?: readonly (string | number)[];
  ordered?: true;
  /** Expected files afterwards. */
  after?: Files;
}

const levels = ['INFO', 'WARN', 'ERROR', 'DEBUG'];
const users = ['ann', 'bob', 'cem', 'dia', 'eli', 'fay', 'gil', 'hal'];
const logOf = (seed: number, count: number) =>
  Array.from({ length: count }, (_, line) => {
    const mixed = (line * 7 + seed * 13) % 23;
    return `2024-0${seed}-1${line % 9} ${levels[mixed % 4]} ${users[seed + (mixed % 3)]} took ${mixed * 11 + line} ms`;
  });
const logs: Record<string, string[]> = { web: logOf(1, 40), mail: logOf(2, 25), cron: logOf(3, 31) };
const sales = ['Bern', 'Oslo', 'Lyon', 'Oslo', 'Bern', 'Porto', 'Lyon', 'Bern'].map((city, index) => [
  `A${index + 1}`,
  city,
  String(12 + index * 7),
  ['card', 'cash', 'card'][index % 3] as string,
]);
const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;

const files: Files = {
  ...Object.fromEntries(Object.entries(logs).map(([name, lines]) => [`logs/${name}.log`, text(lines)])),
  'logs/old/web.log.1': text(logOf(4, 12)),
  'logs/old/mail.log.1': text(logOf(5, 9)),
  'data/sales.csv': text(['id,city,amount,payment', ...sales.map((row) => row.join(','))]),
  'data/in/a.txt': 'alpha\nTODO check\n',
  'data/in/b.txt': 'beta\n',
  'data/in/keep me.txt': 'gamma TODO\n',
  'data/in/c.csv': 'x,y\n1,2\n',
  'data/in/d.tmp': 'temporary\n',
  'data/in/deep/e.tmp': 'temporary too\n',
  'data/in/deep/f.txt': 'delta\n',
  'data/out/': '',
  'src/main.py': 'import util\ncolour = "red"\nprint(util.add(1, 2))\n',
  'src/util.py': 'def add(a, b):\n    return a + b  # colour\n',
  'src/run.sh': 'echo run\n',
  'src/build.sh': 'echo build\n',
  'src/lib/extra.py': `# colour of things\n${'x = 1\n'.repeat(60)}`,
  'src/lib/notes.md': '# Notes\nuse colour here\n',
  'notes/monday.md': '# Monday\ncall ann\n',
  'notes/tuesday.md': '# Tuesday\nmail bob\ncall cem\n',
  'notes/empty.md': '',
  'notes/drafts/': '',
};

const paths = Object.keys(files);
const without = (...gone: string[]): Files =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !gone.includes(path)));
const matching = (folder: string, ending: string) =>
  paths.filter((path) => path.startsWith(`${folder}/`) && path.endsWith(ending));
const direct = (folder: string, ending: string) =>
  matching(folder, ending).filter((path) => !path.slice(folder.length + 1).includes('/'));
const changed = (some: readonly string[], change: (content: string) => string): Files => ({
  ...files,
  ...Object.fromEntries(some.map((path) => [path, change(files[path] as string)])),
});
const moved = (some: readonly string[], to: (path: string) => string): Files => ({
  ...without(...some),
  ...Object.fromEntries(some.map((path) => [to(path), files[path] as string])),
});
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const linesOf = (log: string, level = '') => (logs[log] as string[]).filter((line) => line.includes(level));
const sum = (values: readonly (string | undefined)[]) => values.reduce((total, value) => total + Number(value), 0);
const sortedOnce = (values: readonly (string | undefined)[]) => [...new Set(values as string[])].sort();

const tasks: ShellTask[] = [
  ...family(
    'count-level',
    'ERROR, web; WARN, mail; DEBUG, cron; INFO, web',
    ['Print how many lines of logs/{1}.log contain {0}', 'Count the {0} lines in logs/{1}.log'],
    (level, log) => ({ solution: [`grep -c ${level} logs/${log}.log`], out: [linesOf(log, level).length] }),
  ),
  ...family(
    'users-of-log',
    'web; mail; cron',
    [
      'Print each user of logs/{0}.log once, sorted (the user is the third word of a line)',
      'List the different users in logs/{0}.log in alphabetical order; they are the third word of each line',
    ],
    (log) => ({
      solution: [`awk '{print $3}' logs/${log}.log | sort -u`],
      out: sortedOnce(linesOf(log).map((line) => line.split(' ')[2])),
      ordered: true as const,
    }),
  ),
  ...family(
    'total-time',
    'web, ERROR; mail, INFO; cron, WARN',
    [
      'Print the sum of the milliseconds of all {1} lines in logs/{0}.log',
      'How many milliseconds did the {1} lines of logs/{0}.log take in total? Print the number',
    ],
    (log, level) => ({
      solution: [`awk '/${level}/ {sum += $5} END {print sum}' logs/${log}.log`],
      out: [sum(linesOf(log, level).map((line) => line.split(' ')[4]))],
    }),
  ),
  ...family(
    'list-by-ending',
    'src, .py; data, .txt; logs, .log',
    [
      'List all {1} files below {0}, with their paths',
      'Print the paths of the files in {0} and its subfolders that end in {1}',
    ],
    (folder, ending) => ({ solution: [`find ${folder} -name '*${ending}'`], out: matching(folder, ending) }),
  ),
  ...family(
    'delete-except',
    'data/in, .txt; src, .py; logs, .log',
    [
      'Delete every file below {0} except the {1} files',
      'Remove all files in {0} and its subfolders but keep those that end in {1}',
    ],
    (folder, ending) => ({
      solution: [`find ${folder} -type f ! -name '*${ending}' -delete`],
      after: without(...matching(folder, '').filter((path) => !path.endsWith(ending) && !path.endsWith('/'))),
    }),
  ),
  ...family(
    'delete-ending',
    'data/in, .tmp; src, .md; logs, .1',
    ['Delete all files that end in {1} below {0}', 'Remove every *{1} file in {0}, subfolders too'],
    (folder, ending) => ({
      solution: [`find ${folder} -name '*${ending}' -type f -delete`],
      after: without(...matching(folder, ending)),
    }),
  ),
  ...family(
    'replace-word',
    'src, .py, colour, color; notes, .md, call, phone; data/in, .txt, TODO, DONE',
    [
      'Replace {2} by {3} in all {1} files below {0}',
      'In every {1} file in {0} and its subfolders change the word {2} to {3}',
    ],
    (folder, ending, from, to) => ({
      solution: [`find ${folder} -name '*${ending}' -exec sed -i 's/${from}/${to}/g' {} +`],
      after: changed(matching(folder, ending), (content) => content.replaceAll(from, to)),
    }),
  ),
  ...family(
    'rename-ending',
    'notes, .md, .txt; src, .sh, .bash; logs, .log, .txt',
    [
      'Rename all {1} files directly in {0} so that they end in {2}',
      'Change the ending of the {1} files in {0} (not in subfolders) to {2}',
    ],
    (folder, from, to) => ({
      solution: [`for f in ${folder}/*${from}; do mv "$f" "\${f%${from}}${to}"; done`],
      after: moved(direct(folder, from), (path) => path.slice(0, -from.length) + to),
    }),
  ),
  ...family(
    'move-containing',
    'data/in, TODO, data/todo; src, colour, found; notes, call, calls',
    [
      'Move all files below {0} that contain {1} into a new folder {2}',
      'Create the folder {2} and put every file from {0} and its subfolders with the text {1} there',
    ],
    (folder, word, target) => ({
      solution: [`mkdir ${target} && grep -rlZ ${word} ${folder} | xargs -0 mv -t ${target}`],
      after: moved(
        matching(folder, '').filter((path) => files[path]?.includes(word)),
        (path) => `${target}/${nameOf(path)}`,
      ),
    }),
  ),
  ...family(
    'column',
    'city, 2; payment, 4',
    [
      'Print every different {0} of data/sales.csv once, sorted, without the header',
      'Which values does the column {0} of data/sales.csv have? One a line, sorted, no header',
    ],
    (_, at) => ({
      solution: [`tail -n +2 data/sales.csv | cut -d, -f${at} | sort -u`],
      out: sortedOnce(sales.map((row) => row[Number(at) - 1])),
      ordered: true as const,
    }),
  ),
  ...family(
    'amount-of',
    'Bern; Oslo; Lyon',
    [
      'Print the total amount of the sales in {0} from data/sales.csv',
      'Add up the column amount of data/sales.csv for {0} and print the sum',
    ],
    (city) => ({
      solution: [`awk -F, '$2 == "${city}" {sum += $3} END {print sum}' data/sales.csv`],
      out: [sum(sales.filter((row) => row[1] === city).map((row) => row[2]))],
    }),
  ),
  ...family(
    'first-line',
    'run; build',
    [
      'Put the line #!/bin/sh at the beginning of src/{0}.sh',
      'src/{0}.sh needs #!/bin/sh as its first line, before what is there',
    ],
    (name) => ({
      solution: [`sed -i '1i #!/bin/sh' src/${name}.sh`],
      after: changed([`src/${name}.sh`], (content) => `#!/bin/sh\n${content}`),
    }),
  ),
  ...family('empty', '', ['Remove all empty files and all empty folders below notes'], () => ({
    solution: ['find notes -mindepth 1 -empty -delete'],
    after: without('notes/empty.md', 'notes/drafts/'),
  })),
  ...family('longest-line', '', ['Print the longest line of all .md files in notes'], () => ({
    solution: [`cat notes/*.md | awk 'length > most {most = length; line = $0} END {print line}'`],
    out: ['# Tuesday'],
  })),
  ...family('link', '', ['Make a symbolic link latest.log that points to logs/web.log'], () => ({
    solution: ['ln -s logs/web.log latest.log'],
    after: { ...files, 'latest.log': '→logs/web.log' },
  })),
  ...family('one-file', '', ['Write notes/tuesday.md and then notes/monday.md into one file week.md'], () => ({
    solution: ['cat notes/tuesday.md notes/monday.md > week.md'],
    after: { ...files, 'week.md': `${files['notes/tuesday.md']}${files['notes/monday.md']}` },
  })),
];

export const shellWorld: World = {
  name: 'shell',
  system:
    'You are a bash agent on Linux. Answer with exactly one bash command that does the task, and nothing else. The current folder has the folders logs, data, src and notes.',
  tasks,
  mostReplies: 1,
  readAction: codeIn,
  async begin(task) {
    return {
      async act(command) {
        const { ran, after } = await runInFreshFolder(command);
        const shown =
          `${ran.stdout}${ran.stderr}`.trim().slice(0, 400) || (ran.code === null ? '(timed out)' : '(no output)');
        const result = ran.code === 0 ? shown : `${shown}\nexit code ${ran.code}`;
        return {
          steps: [{ action: command, result }],
          ended: false,
          solved: isRight(task as ShellTask, ran.stdout, after),
        };
      },
      async end() {},
    };
  },
};

function isRight({ out, ordered, after = files }: ShellTask, stdout: string, found: Files): boolean {
  const same = (some: Files) => JSON.stringify(Object.entries(withFolders(some)).sort());
  if (same(found) !== same(after)) return false;
  if (out === undefined) return true;
  const printed = stdout
    .split('\n')
    .map((line) => line.trim().replace(/^\.\//, '').replace(/\s+/g, ' '))
    .filter((line) => line !== '');
  const expected = out.map(String);
  return (
    JSON.stringify(ordered ? printed : printed.sort()) === JSON.stringify(ordered ? expected : [...expected].sort())
  );
}

/** A folder is there for what it holds, also where that is gone; which empty ones remain is nobody's task but their own. */
function withFolders(some: Files): Files {
  return Object.fromEntries(Object.entries(some).filter(([path]) => !path.endsWith('/') || path in files));
}

/** Where root works for a stranger, folders of the run may be closed to that one. */
export function sandboxParent(): string {
  return process.getuid?.() === 0 ? '/tmp' : tmpdir();
}

async function runInFreshFolder(command: string) {
  const folder = await mkdtemp(join(sandboxParent(), 'whetstone-uplift-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      const place = join(folder, path);
      await mkdir(path.endsWith('/') ? place : dirname(place), { recursive: true });
      if (!path.endsWith('/')) await writeFile(place, content);
    }
    if (process.getuid?.() === 0) {
      for (const entry of await readdir(folder, { recursive: true }))
        await lchown(join(folder, entry), strangerId, strangerId);
      await chown(folder, strangerId, strangerId);
    }
    const ran = await runInSandbox(folder, command);
    return { ran, after: await readFiles(folder) };
  } finally {
    await chmod(folder, 0o700);
    await rm(folder, { recursive: true, force: true });
  }
}

async function readFiles(folder: string, below = ''): Promise<Files> {
  const found: Files = {};
  const names = await readdir(join(folder, below));
  if (names.length === 0 && below !== '') found[`${below}/`] = '';
  for (const name of names) {
    const path = below === '' ? name : `${below}/${name}`;
    const kind = await lstat(join(folder, path));
    if (kind.isSymbolicLink()) found[path] = `→${await readlink(join(folder, path))}`;
    else if (kind.isDirectory()) Object.assign(found, await readFiles(folder, path));
    else found[path] = kind.isFile() ? await readFile(join(folder, path), 'utf8') : '(special)';
  }
  return found;
}
