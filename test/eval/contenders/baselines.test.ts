import type { Answerer } from '../answerer.js';
import type { Interaction } from '../interaction.js';
import { createBaselines, exampleIn } from './baselines.js';

function success(query: string, decision: string): Interaction {
  return {
    labels: { domain: 'd', task: query },
    upload: { query, turns: [{ turn: 1, inputs: query, decision }], success: true },
  };
}

const runs = [
  success('count the files', 'ls | wc -l'),
  success('pack the photos', 'tar -czf p.tgz photos'),
  success('count the lines', 'wc -l < file'),
  success('pack the films', 'tar -cf f.tar films'),
  { ...success('pack the books', 'zip'), upload: { ...success('pack the books', 'zip').upload, success: false } },
];

/** Texts about packing point one way, all others another; photos are slightly closer to the others than films are. */
const embedder = {
  async embed(text: string) {
    if (!/pack|bundle/.test(text)) return new Float32Array([0, 1]);
    return new Float32Array(text.includes('photos') ? [0.9, 0.1] : [1, 0]);
  },
};

async function firstOf(name: string, text: string): Promise<string | undefined> {
  const baseline = createBaselines(embedder, 1).find((candidate) => candidate.name === name) as Answerer;
  await baseline.learn('c', runs);
  return (await baseline.ask('c', { text, agentType: null })).recommendations[0]?.text;
}

describe('createBaselines', () => {
  it('gives the last action of the success that is nearest by words, by meaning, or by both', async () => {
    expect(await firstOf('BM25', 'pack the films of 2020')).toBe('tar -cf f.tar films');
    expect(await firstOf('MiniLM', 'bundle everything')).toBe('tar -cf f.tar films');
    expect(await firstOf('fused', 'bundle the films')).toBe('tar -cf f.tar films');
  });

  it('stays silent below a floor, where it has one', async () => {
    expect(await firstOf('MiniLM ≥ 0.5', 'bundle everything')).toBe('tar -cf f.tar films');
    const packing = createBaselines(embedder, 1).find(({ name }) => name === 'MiniLM ≥ 0.5') as Answerer;
    await packing.learn('c', [runs[1] as Interaction]);
    expect((await packing.ask('c', { text: 'cook', agentType: null })).recommendations).toEqual([]);
  });

  it('gives the most frequent tools whatever is asked, where it ignores the query', async () => {
    expect(await firstOf('ignoring', 'count')).toBe(await firstOf('ignoring', 'pack'));
    expect(await firstOf('ignoring', 'anything')).toMatch(/^tar/);
  });
});

describe('exampleIn', () => {
  it('reads the rest of the line', () => {
    expect(exampleIn('[what worked · 1 run] It.\n   When: always. Example: ls -l\n   Steps: a → b')).toBe('ls -l');
  });

  it('reads the lines below', () => {
    expect(exampleIn('[what worked · 1 run] It.\n   When: always.\n   Example:\n     SELECT 1\n     FROM t')).toBe(
      'SELECT 1\n     FROM t',
    );
  });

  it('finds none where there is none', () => {
    expect(exampleIn('[avoid · 1 run] It.\n   What failed: rm')).toBeUndefined();
  });
});
