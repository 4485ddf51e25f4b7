import type { RunTrail } from '@whetstone/contracts';
import { AppError } from '@whetstone/platform';
import { sends } from '@whetstone/platform/test-kit';

import { estimateTokens } from '../../domain/learn/transcript.js';
import { anUpload } from '../../test-kit/index.js';
import { at, goodAnswer, useModelSite } from '../../test-kit/model-site.js';

const run = anUpload({ at }).interaction;
const { signal } = new AbortController();
const succeeded: RunTrail = {
  outcome: 'success',
  judged: false,
  uses: ['get_order', 'refund'],
  changes: ['refund'],
  steps: [
    { turn: 1, action: 'get_order(17)', outcome: 'ok', note: 'delivered broken' },
    { turn: 2, action: 'refund(17)', outcome: 'ok' },
  ],
};
const tooLong = sends(400, { error: { code: 'context_length_exceeded', message: 'too long' } });

describe('a model that compares runs with opposite outcomes', () => {
  const site = useModelSite();
  const asked = () => site.server.requests.map(({ body }) => String(body.messages[1].content));

  it('gets the other runs in a separate fence', async () => {
    const producer = await site.open();

    await producer.produce(run, signal, async () => [succeeded]);

    const [first = ''] = asked();
    const [marker, otherMarker] = first.match(/(?<=two lines that read )=+ \w+ =+/g) ?? [];
    expect(otherMarker).not.toBe(marker);
    const [, record, said, others, end] = first.split(new RegExp(`\n(?:${marker}|${otherMarker})\n`));
    expect(record).toContain('DID: refund(order=17)');
    expect(said).toMatch(/^Other runs at the same task ended the other way/);
    expect(others).toBe('RUN 1, ended in success\nDID: get_order(17)\nGOT: delivered broken\nDID: refund(17)');
    expect(end).toBe('That was the record. Answer with the JSON object.');
  });

  it('gets no section about other runs if there are none', async () => {
    const producer = await site.open();

    await producer.produce(run, signal, async () => []);

    expect(asked()[0]).not.toContain('Other runs');
  });

  it('gets a shorter record if both do not fit', async () => {
    const turns = Array.from({ length: 60 }, (_, turn) => ({
      turn,
      inputs: `order ${turn}`,
      decision: `refund(order=${turn})`,
      result: `refunded ${turn} `.repeat(20),
    }));
    const long = {
      ...succeeded,
      steps: turns.map(({ turn }) => ({ turn, action: 'a '.repeat(100), outcome: 'ok' as const })),
    };
    const producer = await site.open({ contextTokens: 4_500 });

    await producer.produce({ ...run, turns }, signal, async () => [long, long]);

    expect(asked()[0]).toMatch(/turns? left out.*steps left out/s);
    expect(estimateTokens(JSON.stringify(site.server.requests[0]?.body.messages))).toBeLessThan(4_500 - 1_024);
  });

  it('is asked again without them if the request is too long', async () => {
    site.server.answer(tooLong, goodAnswer);
    const producer = await site.open();

    expect((await producer.produce(run, signal, async () => [succeeded])).insights).toHaveLength(1);

    expect(asked().map((text) => text.includes('Other runs'))).toEqual([true, false]);
  });

  it('is not asked while the search for them fails', async () => {
    const producer = await site.open();
    const away = () => Promise.reject(new AppError('store_unavailable', 'away', { retryable: true }));

    await expect(producer.produce(run, signal, away)).rejects.toMatchObject({ retryable: true });

    expect(site.server.requests).toHaveLength(0);
    expect((await producer.produce(run, signal, async () => [succeeded])).insights).toHaveLength(1);
  });

  it('is not given other runs if the run is not teachable', async () => {
    const producer = await site.open();
    const unwanted = () => Promise.reject(new Error('nobody asked'));

    expect((await producer.produce({ ...run, turns: [] }, signal, unwanted)).insights).toEqual([]);
  });
});
