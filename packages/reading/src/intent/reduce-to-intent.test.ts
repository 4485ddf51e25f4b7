import { fillers } from '../test-kit/long-texts.js';
import { reduceToIntent } from './reduce-to-intent.js';

describe('a text that fits the model', () => {
  it('is kept, except for white space', () => {
    expect(reduceToIntent('  Find   all\n\t.log files\r\n ')).toBe('Find all .log files');
    expect(reduceToIntent('')).toBe('');
    expect(reduceToIntent(' \n ')).toBe('');
    const readable = 'a readable sentence of eight words is here '.repeat(18).trim();
    expect(reduceToIntent(readable)).toBe(readable);
  });
});

describe('a text of any shape', () => {
  const size = 64 * 1024;
  const shapes = [
    'a',
    ' ',
    '\n',
    '. ',
    '? ',
    '.',
    'a\n',
    'a\n\n',
    '```\n',
    'task: ',
    'please ',
    "i'd ",
    'the my your ',
  ].concat([
    '漢',
    '漢。',
    '🦜',
    '- ',
    '1 ',
    '> ',
    '{"a":1},',
    'and so now then ',
    'abc def\n',
    '\u2028',
    '\0',
    '\ud800',
  ]);

  it('is reduced to a bounded length', () => {
    for (const shape of shapes) {
      const reduced = reduceToIntent(shape.repeat(Math.ceil(size / shape.length)));
      expect({ shape, short: reduced.length < 1_000 }).toEqual({ shape, short: true });
    }
  });

  it('is reduced in linear time', () => {
    const time = (shape: string, length: number) => {
      const text = shape.repeat(Math.ceil(length / shape.length));
      const runs = Array.from({ length: 3 }, () => {
        // CPU time, because other processes may be running.
        const before = process.cpuUsage();
        reduceToIntent(text);
        return process.cpuUsage(before).user / 1000;
      });
      return Math.min(...runs);
    };
    for (const shape of ['. ', '? ', 'a\n\n', 'please ', '漢', '{"a":1},']) {
      // Eight times the length would take 64 times as long if it were quadratic.
      expect(time(shape, size)).toBeLessThan(30 * time(shape, size / 8) + 100);
    }
  });

  it('is reduced deterministically', () => {
    const text = fillers(5)['prose']!(5_000);
    expect(reduceToIntent(text)).toBe(reduceToIntent(text));
    expect(reduceToIntent(text).length).toBeLessThan(1_000);
  });
});
