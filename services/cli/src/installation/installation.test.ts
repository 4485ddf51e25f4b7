import { type PartOpeners, useParts } from './installation.js';

describe('the parts of an installation', () => {
  it('are opened in order and closed in reverse, also where the work fails', async () => {
    const { openers, told } = recordedOpeners();

    await expect(
      useParts(openers, ['roots', 'log'], async () => {
        told.push('work');
        throw new Error('the work');
      }),
    ).rejects.toThrow('the work');

    expect(told).toEqual(['open roots', 'open log', 'work', 'close log', 'close roots']);
  });

  it('are closed where a later one cannot be opened, and no work is done', async () => {
    const { openers, told } = recordedOpeners();
    const broken = { ...openers, log: () => Promise.reject(new Error('no log')) };

    await expect(useParts(broken, ['roots', 'log', 'topics'], async () => told.push('work'))).rejects.toThrow('no log');

    expect(told).toEqual(['open roots', 'close roots']);
  });
});

function recordedOpeners() {
  const told: string[] = [];
  const open = (name: string) => async () => {
    told.push(`open ${name}`);
    return { part: {} as never, close: async () => void told.push(`close ${name}`) };
  };
  const openers: PartOpeners = {
    roots: open('roots'),
    log: open('log'),
    topics: open('topics'),
    knowledge: open('knowledge'),
    reindexing: open('reindexing'),
  };
  return { openers, told };
}
