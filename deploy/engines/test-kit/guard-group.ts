import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { guard } from '../processes.js';

/** A program that starts a process which starts another, guards both, and says their ids. It lives until somebody kills it. */
const leader = spawn('sh', ['-c', 'sleep 600 & echo $!; wait'], {
  detached: true,
  stdio: ['ignore', 'pipe', 'inherit'],
});
guard(-(leader.pid as number));
const [printed] = (await once(leader.stdout, 'data')) as [Buffer];
console.log(leader.pid, Number(printed.toString()));
