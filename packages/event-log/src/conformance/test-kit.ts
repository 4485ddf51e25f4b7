import type { TopicSpec } from '@whetstone/contracts';

import type { Consumption, EventLog, Following, LogEvent } from '../ports.js';
import type { EventLogHarness } from './index.js';

/** The logs of a test, closed after it whatever happened. */
export interface TestLogs {
  begin(): Promise<void>;
  createTopic(spec?: Partial<Omit<TopicSpec, 'name'>>): Promise<string>;
  open(): Promise<EventLog>;
  compact(log: EventLog, topic: string): Promise<void>;
  closeAll(): Promise<void>;
  end(): Promise<void>;
}

/** Each engine may be slow to start and to share out partitions. */
export const testTimeoutMs = 600_000;

export function createTestLogs(createHarness: () => Promise<EventLogHarness>): TestLogs {
  let harness: EventLogHarness | undefined;
  let open: EventLog[] = [];
  const theHarness = () => {
    if (!harness) throw new Error('The harness has not begun');
    return harness;
  };

  return {
    async begin() {
      harness = await createHarness();
    },
    createTopic: (spec) => theHarness().createTopic({ partitions: 4, compacted: false, ...spec }),
    async open() {
      const log = await theHarness().open();
      open.push(log);
      return log;
    },
    compact: (log, topic) => theHarness().compact(log, topic),
    async closeAll() {
      const closing = open;
      open = [];
      await Promise.all(closing.map((log) => log.close()));
    },
    end: () => theHarness().destroy(),
  };
}

/** A consumer that remembers what it was given. */
export class Collector {
  readonly events: LogEvent[] = [];
  readonly revoked: number[] = [];
  readonly crashes: Error[] = [];
  consumption!: Consumption;

  static async join(log: EventLog, topic: string, group: string): Promise<Collector> {
    const collector = new Collector();
    collector.consumption = await log.consume({
      topic,
      group,
      onEvents: (events) => collector.events.push(...events),
      onRevoked: (partitions) => collector.revoked.push(...partitions),
      onCrash: (error) => collector.crashes.push(error),
    });
    return collector;
  }

  event(index: number): LogEvent {
    const event = this.events[index];
    if (!event) throw new Error(`There is no event ${index}`);
    return event;
  }

  texts(): string[] {
    return this.events.map(textOf);
  }

  /** Commits everything it was given. */
  async commitAll(): Promise<void> {
    const next = new Map<number, number>();
    for (const { partition, offset } of this.events)
      next.set(partition, Math.max(next.get(partition) ?? 0, offset + 1));
    await Promise.all([...next].map(([partition, offset]) => this.consumption.commit(partition, offset)));
  }
}

/** A view that keeps the last value of each key, as a real one would, with its positions beside it. */
export class View {
  readonly values = new Map<string, string>();
  positions: number[] | undefined;
  applied = 0;
  resets = 0;
  following!: Following;

  static async follow(log: EventLog, topic: string, from?: number[]): Promise<View> {
    const view = new View();
    view.following = await log.follow({
      topic,
      ...(from === undefined ? {} : { from }),
      onEvents: async (events, positions) => {
        await Promise.resolve();
        for (const event of events) view.values.set(event.key, textOf(event));
        view.applied += events.length;
        view.positions = positions;
      },
      onReset: () => {
        view.values.clear();
        view.applied = 0;
        view.resets++;
      },
      onCrash: (error) => {
        throw error;
      },
    });
    return view;
  }
}

export function textOf({ value }: { value: Uint8Array }): string {
  return Buffer.from(value).toString();
}

export function anEvent(key: string, text: string): { key: string; value: Uint8Array } {
  return { key, value: Buffer.from(text) };
}

/** Long enough for an event that should not come to come. */
export async function aWhile(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 250));
}
