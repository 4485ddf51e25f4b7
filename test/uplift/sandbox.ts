import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ran {
  /** null if it was killed. */
  code: number | null;
  stdout: string;
  stderr: string;
}

const patienceMs = 5_000;
const mostBytes = 100_000;
/** An unused user id; process limits do not apply to root. */
export const strangerId = 61_234;

/** CPU seconds, processes, memory and file size in KiB. */
const limits = 'ulimit -t 4; ulimit -u 64; ulimit -v 1048576; ulimit -f 4096; exec bash -c "$1"';

/**
 * Runs a command of bash where it sees the programs of this machine, to read, and one folder as `/work`, to write: no network, none of
 * our files, processes and variables, a bounded time.
 */
export async function runInSandbox(folder: string, command: string): Promise<Ran> {
  const isRoot = process.getuid?.() === 0;
  const child = spawn(
    'bwrap',
    [
      ...[
        '--unshare-all',
        '--die-with-parent',
        '--new-session',
        '--cap-drop',
        'ALL',
        '--clearenv',
        '--hostname',
        'sandbox',
      ],
      ...['--ro-bind', '/usr', '/usr', '--ro-bind-try', '/etc/alternatives', '/etc/alternatives'],
      ...['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
      ...[
        '--proc',
        '/proc',
        '--dev',
        '/dev',
        '--tmpfs',
        '/tmp',
        '--bind',
        folder,
        '/work',
        '--remount-ro',
        '/',
        '--chdir',
        '/work',
      ],
      ...[
        '--setenv',
        'PATH',
        '/usr/local/bin:/usr/bin:/bin',
        '--setenv',
        'HOME',
        '/work',
        '--setenv',
        'LC_ALL',
        'C.UTF-8',
      ],
      ...['bash', '-c', limits, 'bash', command],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], ...(isRoot ? { uid: strangerId, gid: strangerId } : {}) },
  );
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  const late = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  const texts = [child.stdout, child.stderr].map(async (stream) => {
    let text = '';
    for await (const bytes of stream) if (text.length < mostBytes) text += (bytes as Buffer).toString();
    return text;
  });
  try {
    const [code] = (await Promise.race([once(child, 'close'), failed])) as [number | null];
    const [stdout, stderr] = (await Promise.all(texts)) as [string, string];
    return { code, stdout, stderr };
  } finally {
    clearTimeout(late);
  }
}

/** Why sandboxing does not work here; `undefined` if it does. */
export async function missingForSandbox(folder: string): Promise<string | undefined> {
  try {
    const { code, stderr } = await runInSandbox(folder, 'exit 7');
    return code === 7 ? undefined : `bubblewrap does not work here: ${stderr.trim()}`;
  } catch {
    return 'bubblewrap (bwrap) is not installed';
  }
}
