import { fileURLToPath } from 'node:url';

import { runHook } from './hook.js';

/** `whetstone hook <event> --agent <name>`: apart from the other commands, which take longer to load. */
export async function runHookProcess([event, ...rest]: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const agent = rest[rest.indexOf('--agent') + 1] ?? 'coding-agent';
  await runHook(event, agent, {
    env,
    stdout: (text) => void process.stdout.write(text),
    stdin: readInput,
    program: fileURLToPath(new URL('../../bin/whetstone.mjs', import.meta.url)),
    elapsedMs: () => performance.now(),
  });
}

async function readInput(signal: AbortSignal): Promise<string> {
  const stop = () => process.stdin.destroy(new Error('no input in time'));
  signal.addEventListener('abort', stop, { once: true });
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  signal.removeEventListener('abort', stop);
  return Buffer.concat(chunks).toString('utf8');
}
