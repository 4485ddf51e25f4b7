import type { Interaction } from '@whetstone/contracts';
import { eventually } from '@whetstone/platform/test-kit';

import type { InsightProducer } from '../domain/ports.js';
import { longEnoughForAThread, misbehaving } from '../test-kit/misbehaving.js';
import { createReflectorPool, type ReflectorPoolConfig } from './reflector-pool.js';

const config: ReflectorPoolConfig = { threads: 1, memoryMb: 32, timeoutMs: 20_000, idleMs: 60_000 };
const unaborted = new AbortController().signal;

describe('the reflector pool', () => {
  let pool: InsightProducer;
  const open = (change: Partial<ReflectorPoolConfig> = {}) => {
    pool = createReflectorPool({ ...config, ...change }, misbehaving);
    return pool;
  };
  afterEach(() => pool.close());

  it('reflects in a thread', async () => {
    expect(await open().produce(asking('Refund an order'), unaborted)).toMatchObject({
      insights: [{ title: 'Refund an order' }],
    });
  });

  it('ends an analysis that hangs, and goes on with the next', async () => {
    const { produce } = open({ timeoutMs: await longEnoughForAThread() });

    const both = await Promise.allSettled([produce(asking('hang'), unaborted), produce(asking('next'), unaborted)]);

    expect(both).toMatchObject([
      { status: 'rejected', reason: { code: 'analysis_timeout' } },
      { status: 'fulfilled', value: { intent: 'next' } },
    ]);
  });

  it('ends an analysis that eats more memory than it may have, and goes on with the next', async () => {
    const { produce } = open();

    const both = await Promise.allSettled([produce(asking('eat'), unaborted), produce(asking('next'), unaborted)]);

    expect(both).toMatchObject([
      { status: 'rejected', reason: { code: 'analysis_failed', message: expect.stringContaining('memory') } },
      { status: 'fulfilled', value: { intent: 'next' } },
    ]);
  });

  it.each(['throw', 'leave'])('fails an analysis whose thread does: %s', async (way) => {
    const { produce } = open();

    await expect(produce(asking(way), unaborted)).rejects.toMatchObject({ code: 'analysis_failed', retryable: false });
    expect(await produce(asking('next'), unaborted)).toMatchObject({ intent: 'next' });
  });

  it('says what kind of error it was and keeps the message, which may quote the run, for the log', async () => {
    const failure = await open()
      .produce(asking('throw'), unaborted)
      .catch((error: Error) => error);

    expect(failure).toMatchObject({
      message: "The analysis failed (Error); the analyser's log says why",
      cause: { message: 'cannot read this' },
    });
  });

  it('is unavailable to an analysis whose thread has no descriptor left', async () => {
    const { produce } = open();

    const starved = produce(asking('starve'), unaborted);
    await expect(starved).rejects.toMatchObject({ code: 'analyser_unavailable', retryable: true });
    expect(await produce(asking('next'), unaborted)).toMatchObject({ intent: 'next' });
  });

  it('leaves the threads beside a hanging one alone', async () => {
    const { produce } = open({ threads: 2 });
    const stop = new AbortController();
    const hanging = produce(asking('hang'), stop.signal).catch(() => 'ended');

    const first = await Promise.race([produce(asking('beside'), unaborted), hanging]);
    stop.abort();

    expect(first).toMatchObject({ intent: 'beside' });
    expect(await hanging).toBe('ended');
  });

  it('stops an analysis that is aborted, and one that waits for its turn', async () => {
    const { produce } = open();
    const stop = new AbortController();

    const both = [produce(asking('hang'), stop.signal), produce(asking('waiting'), stop.signal)];
    stop.abort(new Error('partition lost'));

    expect(await Promise.allSettled(both)).toMatchObject([
      { status: 'rejected', reason: { message: 'partition lost' } },
      { status: 'rejected', reason: { message: 'partition lost' } },
    ]);
    expect(await produce(asking('next'), unaborted)).toMatchObject({ intent: 'next' });
  });

  const whoReflects = async () => (await pool.produce(asking('who'), unaborted)).intent;

  it('keeps its thread for the next analysis', async () => {
    open();
    const first = await whoReflects();

    expect(await whoReflects()).toBe(first);
  });

  it('gives up a thread that was idle too long', async () => {
    open({ idleMs: 10 });
    const first = await whoReflects();

    await eventually(async () => (await whoReflects()) !== first);
  });

  it('refuses work once it is closed', async () => {
    const { produce, close } = open();
    await close();

    await expect(produce(asking('late'), unaborted)).rejects.toMatchObject({ code: 'cancelled' });
  });
});

function asking(query: string): Interaction {
  return { query, turns: [{ turn: 1, inputs: '', decision: 'look' }] };
}
