import { once } from 'node:events';

import { createSystemClock } from '@whetstone/platform';

import { run } from './run.js';

// The same as the server's: a file that the command makes is nobody else's to read.
process.umask(0o077);

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  clock: createSystemClock(),
  stdout: async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  },
  stderr: (text) => void process.stderr.write(text),
});

// A connection that does not end when it is told to keeps nobody waiting.
setTimeout(() => process.exit(), 1000).unref();
