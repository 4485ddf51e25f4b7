import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { end, launch, untilReady } from './processes.js';
import { isAlive } from './test-kit/is-alive.js';
import { temporaryFolder } from './test-kit/temporary-folder.js';

const folder = temporaryFolder();
const shell = (script: string) => ({
  name: 'shell',
  command: 'sh',
  args: ['-c', script],
  logFile: join(folder(), 'log'),
});

describe('a child process', () => {
  function launchElsewhere(wait: 'wait' | 'end') {
    const program = fileURLToPath(new URL('test-kit/launch-sleeper.js', import.meta.url));
    const args = [program, join(folder(), 'sleeper'), wait];
    return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  }

  it('dies with the process that launched it, also when that is killed with −9', async () => {
    const parent = launchElsewhere('wait');
    const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(printed.toString());
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    while (isAlive(pid)) await sleep(20);
  });

  it('does not keep the process that launched it from ending', async () => {
    const parent = launchElsewhere('end');
    const [[printed], [code]] = (await Promise.all([once(parent.stdout, 'data'), once(parent, 'exit')])) as [
      [Buffer],
      [number],
    ];
    expect(code).toBe(0);
    while (isAlive(Number(printed.toString()))) await sleep(20);
  });

  it('shows what it printed last when it ends at its start', async () => {
    const child = await launch(shell('echo the port is taken; exit 3'));
    const readiness = { isReady: () => false, withinMs: 30_000 };
    await expect(untilReady(child, readiness)).rejects.toThrow(/ended at its start \(3\).*the port is taken/s);
  });

  it('is killed when it does not become ready in time', async () => {
    const child = await launch(shell('exec sleep 600'));
    await expect(untilReady(child, { isReady: () => false, withinMs: 100 })).rejects.toThrow('not ready within 0.1 s');
    expect(isAlive(child.pid)).toBe(false);
  });

  it('keeps what earlier processes printed apart', async () => {
    const first = await launch(shell('echo first'));
    await first.exited;
    const second = await launch(shell('echo second'));
    await second.exited;
    expect(second.printed()).toBe('second\n');
    expect(first.printed()).toContain('first');
  });

  it('is killed when it does not end as it was asked to', async () => {
    const child = await launch(shell('trap "" TERM; echo ready; while :; do sleep 0.1; done'));
    await untilReady(child, { isReady: () => child.printed().includes('ready'), withinMs: 30_000 });
    expect(await end(child, 'SIGTERM', 200)).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('ends in order also while it is paused', async () => {
    const child = await launch(shell('exec sleep 600'));
    child.signal('SIGSTOP');
    expect(await end(child, 'SIGTERM', 30_000)).toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('is told by name when its program is not there', async () => {
    const absent = { name: 'Absent', command: '/no/such/program', args: [], logFile: join(folder(), 'absent') };
    await expect(launch(absent)).rejects.toThrow(/Absent cannot be started.*ENOENT/);
  });
});

describe('a guarded group of processes', () => {
  it('dies with the process that guards it, also when that is killed with −9', async () => {
    const program = fileURLToPath(new URL('test-kit/guard-group.js', import.meta.url));
    const guarding = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [printed] = (await once(guarding.stdout, 'data')) as [Buffer];
    const pids = printed.toString().trim().split(' ').map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);

    guarding.kill('SIGKILL');

    while (pids.some(isAlive)) await sleep(20);
  });
});
