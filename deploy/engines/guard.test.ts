import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { isAlive } from './test-kit/is-alive.js';

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
