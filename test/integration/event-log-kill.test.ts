import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { openLocalEventLog } from '@whetstone/event-log';

import { appendedTopic } from './event-log-kill-plan.js';

const appender = fileURLToPath(new URL('./event-log-appender.js', import.meta.url));
const rounds = 5;
const roundBegins = (round: number) => round * 100_000;

describe('the local log under kill −9', () => {
  it('loses nothing that it acknowledged and keeps the order of each key, with two processes appending', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'whetstone-kill-'));
    const path = join(folder, 'log.db');
    const acknowledged: string[] = [];
    try {
      for (let round = 0; round < rounds; round++) {
        const writers = ['one', 'other'].map((name) => appendUntilKilled(path, name, roundBegins(round)));
        const before = acknowledged.length;
        for (const { signal, lines } of await Promise.all(writers)) {
          expect(signal).toBe('SIGKILL');
          acknowledged.push(...lines);
        }
        expect(acknowledged.length).toBeGreaterThan(before);

        const stored = await readAll(path);
        const everything = new Set(
          [...stored].flatMap(([key, numbers]) => numbers.map((number) => `${key} ${number}`)),
        );
        expect(acknowledged.filter((line) => !everything.has(line))).toEqual([]);
        for (const numbers of stored.values()) expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
        expect(everything.size).toBe([...stored.values()].flat().length);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

interface Ending {
  signal: unknown;
  lines: string[];
}

/** The lines that the process printed before it was killed in the middle of its work. */
async function appendUntilKilled(path: string, writer: string, begin: number): Promise<Ending> {
  const child = spawn(process.execPath, [appender, path, writer, String(begin)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output === '') setTimeout(() => child.kill('SIGKILL'), 20 + Math.random() * 400);
    output += text;
  });
  const [, signal] = await once(child, 'close');
  const complete = output.slice(0, output.lastIndexOf('\n') + 1);
  return { signal, lines: complete.split('\n').filter(Boolean) };
}

/** The numbers under each key, in the order of the log. */
async function readAll(path: string): Promise<Map<string, number[]>> {
  const log = await openLocalEventLog({ path, topics: [appendedTopic] });
  const stored = new Map<string, number[]>();
  const following = await log.follow({
    topic: appendedTopic.name,
    onEvents(events) {
      for (const { key, value } of events) {
        const numbers = stored.get(key) ?? [];
        numbers.push(Number.parseInt(Buffer.from(value).toString(), 10));
        stored.set(key, numbers);
      }
    },
    onReset: () => stored.clear(),
    onCrash: (error) => {
      throw error;
    },
  });
  await following.caughtUp();
  await log.close();
  return stored;
}
