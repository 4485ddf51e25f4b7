import { AppError } from '@whetstone/platform';
import { createRecordingLogger, eventually } from '@whetstone/platform/test-kit';

import type { LogEvent } from '../ports.js';
import { ConsumerMember } from './consumer-groups.js';
import type { EventReader, ReadResult } from './event-reader.js';
import { LogTail } from './log-tail.js';
import { TopicFollower } from './topic-follower.js';

const partitions = [0, 1].map((partition) => ({ id: partition + 1, topic: 't', partition, compacted: false }));

describe('a partition that cannot be read', () => {
  it('is reported, makes the log unhealthy, and holds up no other partition of a consumer', async () => {
    const { tail, reader, problems, state } = setUp();
    const events: LogEvent[] = [];
    const member = new ConsumerMember({
      reader,
      tail,
      nowMs: () => 0,
      partitions,
      handlers: { onEvents: (more) => events.push(...more), onRevoked() {}, onCrash() {} },
      committed: () => 0,
      commit: async () => {},
      leave() {},
    });
    member.take([0, 1]);

    await eventually(() => events.length === 3, 'the events of the other partition');
    expect(tail.healthy).toBe(false);
    expect(problems()).toEqual([expect.stringContaining('Reading the log failed')]);

    state.isDamaged = false;
    await eventually(() => events.length === 6, 'the events of both');
    expect(tail.healthy).toBe(true);
    await member.stop();
  });

  it('holds up no other partition of a view', async () => {
    const { tail, problems, state } = setUp();
    const events: LogEvent[] = [];
    const handlers = {
      topic: 't',
      onEvents: (more: LogEvent[]) => void events.push(...more),
      onReset() {},
      onCrash() {},
    };
    const follower = new TopicFollower({ tail, partitions, handlers, onStopped() {} });

    await eventually(() => events.length === 3, 'the events of the other partition');
    expect([tail.healthy, problems().length]).toEqual([false, 1]);

    state.isDamaged = false;
    await follower.caughtUp();
    expect(events).toHaveLength(6);
    await follower.stop();
  });

  it('crashes a consumer where the program is at fault: waiting does not mend that', async () => {
    const { tail, reader, state } = setUp();
    state.failure = new TypeError('x is not a function');
    const crashes: Error[] = [];
    const member = new ConsumerMember({
      reader,
      tail,
      nowMs: () => 0,
      partitions,
      handlers: { onEvents() {}, onRevoked() {}, onCrash: (error) => crashes.push(error) },
      committed: () => 0,
      commit: async () => {},
      leave() {},
    });
    member.take([0]);

    await eventually(() => crashes.length > 0, 'the crash');
    expect(crashes).toEqual([state.failure]);
  });
});

describe('a file that does not answer', () => {
  it('is reported', async () => {
    const { tail, problems, state } = setUp();
    const stop = tail.listen(() => {});
    state.isAway = true;

    await eventually(() => !tail.healthy, 'the log to be unhealthy');
    expect(problems()).toEqual([expect.stringContaining('Reading the log failed')]);
    stop();
  });
});

/** Two partitions with three events each, of which the first cannot be read. */
function setUp() {
  const state = {
    isDamaged: true,
    isAway: false,
    failure: new AppError('log_unavailable', 'database disk image is malformed', { retryable: true }) as Error,
  };
  const reader = {
    version() {
      if (state.isAway) throw state.failure;
      return 1;
    },
    bounds: () => new Map(partitions.map(({ id }) => [id, { start: 0, end: 3 }])),
    read({ topic, partition }: (typeof partitions)[number], from: number, end: number): ReadResult {
      if (partition === 0 && state.isDamaged) throw state.failure;
      const offsets = Array.from({ length: end - from }, (_, index) => from + index);
      const event = { topic, partition, key: 'k', value: new Uint8Array(), headers: {}, timestampMs: 0 };
      return { events: offsets.map((offset) => ({ ...event, offset })), next: end };
    },
  } as unknown as EventReader;
  const { logger, lines } = createRecordingLogger();
  const tail = new LogTail({ reader, pollMs: 5, logger });
  tail.refresh();
  const problems = () => lines().flatMap(({ level, msg }) => (level === 'error' ? [String(msg)] : []));
  return { tail, reader, problems, state };
}
