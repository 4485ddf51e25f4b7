import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topics } from '@whetstone/contracts';
import { type EventLog, type LogEvent, type NewEvent, openLocalEventLog } from '@whetstone/event-log';
import { type RootSecrets, readOrCreateRootSecrets } from '@whetstone/identity';
import { createSystemClock, type DataFolder, dataFolder } from '@whetstone/platform';

import { readTopic } from '../read-topic.js';
import { run } from '../run.js';

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** A data folder as a server leaves it, and the command run on it. */
export class TestInstallation {
  readonly folder: DataFolder;
  readonly roots: RootSecrets;

  private constructor(folder: DataFolder, roots: RootSecrets) {
    this.folder = folder;
    this.roots = roots;
  }

  static async create(): Promise<TestInstallation> {
    const folder = dataFolder(await mkdtemp(join(tmpdir(), 'whetstone-cli-')));
    return new TestInstallation(folder, await readOrCreateRootSecrets(folder.rootSecret));
  }

  now(): number {
    return Date.now() * 1000;
  }

  run(...argv: string[]): Promise<Outcome> {
    return runCommand([...argv, '--data', this.folder.path]);
  }

  /** Runs with `--json` and reads the one object. */
  async ask<Answer>(...argv: string[]): Promise<Answer> {
    const { code, stdout, stderr } = await this.run(...argv, '--json');
    if (code !== 0) throw new Error(`whetstone ${argv.join(' ')} exited with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Answer;
  }

  async append(topic: string, ...events: NewEvent[]): Promise<void> {
    await this.withLog(async (log) => {
      for (const event of events) await log.append(topic, event);
    });
  }

  async read<Message>(topic: string): Promise<Message[]> {
    const messages: Message[] = [];
    await this.withLog((log) =>
      readTopic<Message>(log, topic, { stderr: failing }, (message) => void messages.push(message)),
    );
    return messages;
  }

  async events(topic: string): Promise<LogEvent[]> {
    const found: LogEvent[] = [];
    await this.withLog(async (log) => {
      const onEvents = (events: LogEvent[]) => void found.push(...events);
      const following = await log.follow({ topic, onEvents, onReset() {}, onCrash() {} });
      await following.caughtUp();
      await following.stop();
    });
    return found;
  }

  remove(): Promise<void> {
    return rm(this.folder.path, { recursive: true });
  }

  /** Opens the log as a server does, which other processes may then append to. */
  async withLog(work: (log: EventLog) => Promise<void>): Promise<void> {
    const log = await openLocalEventLog({ path: this.folder.log, topics: Object.values(topics) });
    try {
      await work(log);
    } finally {
      await log.close();
    }
  }
}

/** In a test everything can be read. */
function failing(text: string): void {
  throw new Error(text);
}

export async function runCommand(argv: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const code = await run(argv, {
    env,
    cwd: env['PWD'] ?? tmpdir(),
    clock: createSystemClock(),
    stdout: (text) => {
      written.stdout += text;
    },
    stderr: (text) => {
      written.stderr += text;
    },
  });
  return { code, ...written };
}
