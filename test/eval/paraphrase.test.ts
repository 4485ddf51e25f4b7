import { paraphrase } from './paraphrase.js';

describe('paraphrase', () => {
  it('says the same in other words, always the same ones', () => {
    const task = 'Find all files larger than 10 MB below /srv/data';
    expect(paraphrase(task)).toBe(paraphrase(task));
    expect(paraphrase(task)).toMatch(/Below \/srv\/data, locate every one of the files above 10 MB/);
  });

  it('keeps names, paths, quoted text and amounts as they are', () => {
    const said = paraphrase('Delete "all files" from the directory /find/all and count 3 of them');
    expect(said).toContain('"all files"');
    expect(said).toContain('/find/all');
    expect(said).toMatch(/Remove .* folder .* tally 3 of them/);
  });

  it('survives a task with nothing to reword', () => {
    expect(paraphrase('Ünicode ✓')).toContain('Ünicode ✓');
  });
});
