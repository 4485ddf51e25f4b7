import { exampleIn } from './example-in.js';

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
