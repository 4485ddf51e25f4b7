import { once } from 'node:events';

import { createSystemClock } from '@whetstone/platform';

import { run } from './run.js';

// As in the server: files are readable by their owner only.
process.umask(0o077);

// `| head` closes the pipe early; that is fine.
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

// Do not wait for connections that fail to close.
setTimeout(() => process.exit(), 1000).unref();
