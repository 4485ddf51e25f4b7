import { tool } from 'ai';
import { z } from 'zod';

import { lessons } from '../../support/uploads.js';

const { command } = lessons.logs;

/** A shell that only knows the command that works. */
export const tools = {
  shell: tool({
    description: 'Runs a command',
    inputSchema: z.object({ command: z.string() }),
    execute: ({ command: given }) => (given === command ? 'exit code 0' : 'rm: report: No such file or directory'),
  }),
};

const shell = (id: string, given: string) => ({ id, name: 'shell', arguments: { command: given } });

/** What the model does: it fails once, then finds the command. */
export const steps = [
  { says: 'I look for them first.', calls: [shell('a', 'ls /var | grep .log | xargs rm')] },
  { calls: [shell('b', command)] },
  { says: 'They are gone.' },
];
