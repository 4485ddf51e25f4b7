import { cutText } from './cut-text.js';
import { fitJson } from './fit-json.js';

describe('cutText', () => {
  it('never cuts inside a character', () => {
    const text = 'aé漢🦜'.repeat(50);
    for (let bytes = 0; bytes < 120; bytes++) {
      const cut = cutText(text, bytes);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(bytes);
      expect(Buffer.byteLength(cut)).toBeGreaterThan(bytes - 4);
      expect(text.startsWith(cut)).toBe(true);
    }
  });

  it('leaves alone what fits', () => {
    expect(cutText('漢'.repeat(10), 30)).toBe('漢'.repeat(10));
  });
});

describe('fitJson', () => {
  it('leaves alone what fits', () => {
    expect(fitJson({ a: ['x'], b: null, c: 1.5 }, 100)).toBe('{"a":["x"],"b":null,"c":1.5}');
  });

  it('keeps the beginning of long texts and both ends of long lists', () => {
    const steps = Array.from({ length: 5_000 }, (_, turn) => ({ turn, action: `action ${turn} ${'x'.repeat(100)}` }));
    const json = fitJson({ run: { steps }, note: '漢'.repeat(40_000) }, 65_535);
    const { run, note } = JSON.parse(json) as { run: { steps: { turn: number }[] }; note: string };
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(65_535);
    expect([run.steps[0]?.turn, run.steps.at(-1)?.turn]).toEqual([0, 4_999]);
    expect(note.startsWith('漢漢漢')).toBe(true);
  });

  it('bounds whatever is escaped into something longer', () => {
    expect(Buffer.byteLength(fitJson({ text: '\0'.repeat(60_000) }, 65_535))).toBeLessThanOrEqual(65_535);
  });
});
