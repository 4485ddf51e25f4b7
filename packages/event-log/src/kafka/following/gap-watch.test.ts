import { setTimeout as sleep } from 'node:timers/promises';

import { AppError } from '@whetstone/platform';
import { createRecordingLogger, eventually } from '@whetstone/platform/test-kit';

import { GapWatch } from './gap-watch.js';

const checkAfterMs = 20;

describe('a view that stands still before the end of a partition', () => {
  it('gets one barrier, however often it is watched', async () => {
    const { watch, appended } = setUp([5, 7]);
    for (let index = 0; index < 50; index++) watch.watch(ends(5, 9));

    await eventually(() => appended.length > 0, 'a barrier is appended');
    await sleep(5 * checkAfterMs);

    expect(appended).toEqual([1]);
  });

  it('gets none while it moves, while it is busy, or once it is there', async () => {
    const { watch, appended, state } = setUp([0]);
    watch.watch(ends(100));
    const moving = setInterval(() => state.positions[0]++, 2);
    await sleep(5 * checkAfterMs);
    state.isWaiting = false;
    clearInterval(moving);
    await sleep(5 * checkAfterMs);
    state.positions[0] = 100;
    state.isWaiting = true;
    await sleep(5 * checkAfterMs);

    expect(appended).toEqual([]);
  });

  it('gets another one for a later gap', async () => {
    const { watch, appended, state } = setUp([4]);
    watch.watch(ends(6));
    await eventually(() => appended.length === 1, 'a barrier is appended');
    state.positions[0] = 7;
    await sleep(4 * checkAfterMs);
    watch.watch(ends(9));
    await eventually(() => appended.length > 1, 'another barrier is appended');

    expect(appended).toEqual([0, 0]);
  });

  it('is tried again when the append fails', async () => {
    const { watch, appended } = setUp([4], () => new AppError('log_unavailable', 'away', { retryable: true }));
    watch.watch(ends(6));

    await eventually(() => appended.length > 1, 'the append is retried');
  });

  it('is not tried again when the append is refused', async () => {
    const cause = { name: 'KafkaJSProtocolError', type: 'TOPIC_AUTHORIZATION_FAILED', message: 'no' };
    const { watch, appended, problems } = setUp([4], () => new AppError('log_unavailable', 'no', { cause }));
    watch.watch(ends(6));

    await eventually(() => problems().length > 0, 'the refusal is logged');
    await sleep(5 * checkAfterMs);

    expect(appended).toEqual([0]);
    expect(problems()).toEqual([expect.stringContaining('grant Write')]);
  });

  it('is reported once when a barrier does not help', async () => {
    const { watch, appended, problems } = setUp([4]);
    watch.watch(ends(6));

    await eventually(() => appended.length > 0, 'a barrier is appended');
    expect(problems()).toEqual([]);
    await eventually(() => problems().length > 0, 'the stuck view is logged');
    expect(problems()).toEqual([expect.stringContaining('View stuck')]);
    watch.stop();
  });
});

function ends(...highs: number[]) {
  return highs.map((high) => ({ low: 0, high }));
}

function setUp(positions: [number, ...number[]], failure?: () => Error) {
  const appended: number[] = [];
  const state = { positions, isWaiting: true };
  const { logger, lines } = createRecordingLogger();
  const watch = new GapWatch({
    topic: 't',
    logger,
    checkAfterMs,
    positions: () => state.positions,
    isWaiting: () => state.isWaiting,
    async appendBarrier(partition) {
      appended.push(partition);
      if (failure) throw failure();
    },
  });
  const problems = () => {
    return lines().flatMap(({ level, msg }) => (['warn', 'error'].includes(String(level)) ? [String(msg)] : []));
  };
  return { watch, appended, state, problems };
}
