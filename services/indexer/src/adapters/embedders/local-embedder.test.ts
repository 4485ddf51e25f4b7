import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@whetstone/platform';

import { cosine } from '../../domain/intent/similarity.js';
import type { Embedder } from '../../domain/ports.js';
import { openLocalEmbedder } from './local-embedder.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

describe('the local embedder', () => {
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await openLocalEmbedder({ logger });
  });
  afterAll(() => embedder.close());

  it('places texts with the same meaning close together and others far apart', async () => {
    const [a, b, c] = await Promise.all(
      ['delete old log files', 'remove log files that are outdated', 'book a flight to Rome'].map((text) =>
        embedder.embed(text, 'interactive'),
      ),
    );
    expect(cosine(a!, b!)).toBeGreaterThan(0.7);
    expect(cosine(a!, c!)).toBeLessThan(0.3);
  });

  it('returns unit vectors of its dimension', async () => {
    const vector = await embedder.embed('anything', 'background');
    expect(vector).toHaveLength(embedder.model.dimension);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it('returns the same bytes for the same text, whatever is embedded concurrently and in any thread', async () => {
    const other = await openLocalEmbedder({ cacheBytes: 0, logger });
    const alone = await other.embed('count the lines of a file', 'interactive');
    const crowd = await Promise.all(
      ['x', 'count the lines of a file', 'a much longer text '.repeat(20)].map((text) =>
        other.embed(text, 'background'),
      ),
    );
    const elsewhere = await embedder.embed('count the lines of a file', 'interactive');
    await other.close();
    expect([...crowd[1]!]).toEqual([...alone]);
    expect([...elsewhere]).toEqual([...alone]);
  });

  it('reads the first 256 tokens of a longer text, and accepts any text', async () => {
    const long = 'word '.repeat(254);
    const cut = await embedder.embed(`${long}and what comes after`, 'interactive');
    expect([...cut]).toEqual([...(await embedder.embed(`${long}something else`, 'interactive'))]);
    for (const text of ['', ' ', '\0', '🦜', 'ﬁ ½ 漢字', 'a'.repeat(100_000)]) {
      expect(Math.hypot(...(await embedder.embed(text, 'interactive')))).toBeCloseTo(1, 5);
    }
  });

  it('rejects waiting texts when closed during an inference, and the process survives', async () => {
    const closing = await openLocalEmbedder({ cacheBytes: 0, logger });
    const texts = Array.from({ length: 5 }, (_, number) => `${number} ${'word '.repeat(200)}`);
    const embedded = Promise.allSettled(texts.map((text) => closing.embed(text, 'background')));

    await closing.close();

    const outcomes = (await embedded).map(({ status }) => status);
    expect(outcomes).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'rejected']);
  });

  it('rejects texts after it was closed', async () => {
    const closed = await openLocalEmbedder({ cacheBytes: 0, logger });
    await closed.close();
    await expect(closed.embed('late', 'interactive')).rejects.toMatchObject({ name: 'AppError' });
  });
});

it('sends no telemetry: the inference runtime leaves nothing in the home folder', async () => {
  const home = await mkdtemp(join(tmpdir(), 'whetstone-home-'));
  const module = JSON.stringify(new URL('./local-embedder.js', import.meta.url).href);
  // A separate process whose environment allows telemetry.
  const script = `
    import(${module}).then(async ({ openLocalEmbedder }) => {
      const embedder = await openLocalEmbedder({ logger: console });
      console.log((await embedder.embed('a text', 'interactive')).length);
      await embedder.close();
    });`;
  const output = execFileSync(process.execPath, ['-e', script], {
    env: { HOME: home },
    encoding: 'utf8',
  });

  expect(output).toBe('384\n');
  expect(await readdir(home, { recursive: true })).toEqual([]);
  await rm(home, { recursive: true });
});
