import { createLogger } from '@whetstone/platform';
import { estimateTokens, reduceToIntent } from '@whetstone/reading';
import { fillers, requests } from '@whetstone/reading/test-kit';

import { openLocalEmbedder } from './adapters/embedders/local-embedder.js';
import { cosine } from './domain/intent/similarity.js';
import type { Embedder } from './domain/ports.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

describe('a text of 5,000 words', () => {
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await openLocalEmbedder({ logger });
  });
  afterAll(() => embedder.close());

  const arrangements: Record<string, (filler: (words: number) => string, request: string) => string> = {
    'at the end': (filler, request) => `${filler(5_000)}\n\n${request}`,
    'at the beginning': (filler, request) => `${request}\n\n${filler(5_000)}`,
  };
  const cases = Object.keys(arrangements).flatMap((place) =>
    Object.keys(fillers(1)).map((name) => [place, name] as const),
  );

  it.each(cases)('matches its request, %s of %s', async (place, name) => {
    const filler = fillers(7)[name]!;
    for (const request of requests) {
      expect(await nearness(arrangements[place]!(filler, request), request)).toBeGreaterThan(0.85);
    }
  });

  it.each(['logs', 'json', 'code', 'table', 'boilerplate', 'encoded'])(
    'matches its request, in the middle of %s',
    async (name) => {
      const filler = fillers(8)[name]!;
      for (const request of requests) {
        expect(await nearness(`${filler(2_500)}\n\n${request}\n\n${filler(2_500)}`, request)).toBeGreaterThan(0.85);
      }
    },
  );

  it('keeps the sentences that belong to the request', async () => {
    const request =
      'Please move my appointment with the dentist to next week. Mornings are better for me. Tell me which days are free.';
    expect(reduceToIntent(`${fillers(3)['prose']!(5_000)}\n\n${request}`)).toBe(request);
  });

  it('finds a request in another language by its position', async () => {
    const request = 'Bitte entferne alle doppelten Zeilen aus der Textdatei und sortiere den Rest nach dem Datum.';
    expect(await nearness(`${fillers(4)['prose']!(5_000)}\n\n${request}`, request)).toBeGreaterThan(0.85);
  });

  async function nearness(text: string, request: string): Promise<number> {
    const reduced = reduceToIntent(text);
    expect(estimateTokens(reduced)).toBeLessThanOrEqual(240);
    return cosine(await embedder.embed(reduced, 'interactive'), await embedder.embed(request, 'interactive'));
  }
});
