import type { EventLog } from '@whetstone/event-log';

/** Appends one event of its key after another, and remembers which were acknowledged. */
export class Writer {
  readonly acknowledged: string[] = [];
  readonly key: string;
  readonly #log: EventLog;
  readonly #topic: string;
  #stopped = false;

  constructor(log: EventLog, topic: string, key: string) {
    this.#log = log;
    this.#topic = topic;
    this.key = key;
  }

  async run(): Promise<void> {
    for (let number = 0; !this.#stopped; number++) {
      const text = `${this.key}:${number}`;
      const append = this.#log.append(this.#topic, { key: this.key, value: Buffer.from(text) });
      // A refused append may or may not be in the log.
      const [{ status }] = await Promise.allSettled([append]);
      if (status === 'fulfilled') this.acknowledged.push(text);
    }
  }

  stop(): void {
    this.#stopped = true;
  }
}

/** How many events all of them have acknowledged. */
export function total(writers: Writer[]): number {
  return writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
}
