import { once } from 'node:events';

// As in the server: files are readable by their owner only.
process.umask(0o077);

// `| head` closes the pipe early; that is fine.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const argv = process.argv.slice(2);
if (argv[0] === 'hook' && !argv.includes('--help') && !argv.includes('-h')) {
  const { runHookProcess } = await import('./coding-agents/hook-process.js');
  await runHookProcess(argv.slice(1), process.env);
} else {
  const { createSystemClock } = await import('@whetstone/platform');
  const { run } = await import('./run.js');
  process.exitCode = await run(argv, {
    env: process.env,
    cwd: process.cwd(),
    clock: createSystemClock(),
    stdout: async (text) => {
      if (!process.stdout.write(text)) await once(process.stdout, 'drain');
    },
    stderr: (text) => void process.stderr.write(text),
    ...(process.stdin.isTTY && { ask }),
  });
}

// Do not wait for connections that fail to close.
setTimeout(() => process.exit(), 1000).unref();

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}
