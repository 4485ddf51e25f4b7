import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ownDataFiles, readInteractions } from './read-interactions.js';

const good = {
  labels: { task: 't', winner: null, other: 1 },
  upload: { query: 'Do it', turns: [{ turn: 1, inputs: 'Do it', decision: 'done' }], success: true },
};

describe('readInteractions', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-eval-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function reading(...lines: unknown[]) {
    const file = join(folder, 'mine.jsonl');
    await writeFile(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
    return readInteractions(file);
  }

  it('takes the domain from the file where a line names none', async () => {
    const [interaction] = await reading(good, '');
    expect(interaction?.labels).toEqual({ domain: 'mine', task: 't' });
  });

  it.each([
    ['{"labels"', /mine\.jsonl, line 2: this is no JSON/],
    [[], /line 2: the line must be an object/],
    [{ upload: good.upload }, /line 2: labels must be an object/],
    [{ ...good, labels: {} }, /line 2: labels\.task must be a text/],
    [{ ...good, upload: { ...good.upload, success: 'yes' } }, /line 2: upload\.success must be true, false or null/],
    [{ ...good, upload: { ...good.upload, tenant_id: 'x' } }, /line 2: upload\.tenant_id must be left out/],
    [{ ...good, upload: { ...good.upload, turns: [{ turn: 1, inputs: '' }] } }, /line 2: upload\.turns\[0\]\.decision/],
  ])('names the line and what is wrong: %j', async (line, message) => {
    await expect(reading(good, line)).rejects.toThrow(message);
  });

  it('says so when a file is empty or not there', async () => {
    await expect(reading('')).rejects.toThrow(/holds no interactions/);
    await expect(readInteractions(join(folder, 'none.jsonl'))).rejects.toThrow(/none\.jsonl cannot be read/);
  });

  it('reads the set that comes with the project', async () => {
    const files = await ownDataFiles();
    expect(files).toHaveLength(5);
    for (const file of files) expect((await readInteractions(file)).length).toBeGreaterThan(10);
  });
});
