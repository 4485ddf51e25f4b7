import { aCollection, anInsight, aReplacement, aRow, aVector } from '../conformance/samples.js';
import type { Row } from './ports.js';
import { readInsightBody, readRunBody } from './row-bodies.js';
import { buildRows, cutText, fitInsightBody, fitJson, upgradedRow } from './rows.js';
import { tallyOf } from './tally.js';

const typed = {
  scope: 'error',
  rule: 'a-rule',
  actions: ['rm *'],
  effects: ['destroys'],
  errorClass: 'denied',
} as const;
const request = aReplacement({
  insights: [anInsight({ ...typed, actions: [...typed.actions], effects: [...typed.effects], example: 'rm a' })],
  run: { outcome: 'failure', judged: true, uses: ['rm', 'ls'], changes: ['rm'], steps: [] },
});
const origin = { ...request.origin, trust: 'low' as const };
const [run, insight] = buildRows({ ...request, origin }, 'clean up', aVector(1)) as [Row, Row];

/** In the format of the previous version. */
const earlier = ({ body, ...row }: Row): Row => {
  const { insight: lesson, run: shape, ...rest } = JSON.parse(body);
  const { changes: _, ...ran } = shape;
  if (!lesson) return { ...row, body: JSON.stringify({ run: ran, ...rest }) };
  const { scope, rule, actions, effects, errorClass, ...said } = lesson;
  return { ...row, body: JSON.stringify({ insight: said, run: ran, ...rest }) };
};

describe('the body of a row', () => {
  it('contains what was stored, including the trust of the key', () => {
    expect(readInsightBody(insight.body)).toEqual({
      name: insight.name,
      insight: request.insights[0],
      run: { outcome: 'failure', judged: true, uses: ['rm', 'ls'], changes: ['rm'] },
      origin,
    });
    expect(readRunBody(run.body)).toEqual({ run: request.run, origin });
  });

  it('of an earlier version is readable', () => {
    const { insight: read, run: shape } = readInsightBody(earlier(insight).body);

    expect(read).toMatchObject({ scope: 'task', rule: 'old', actions: [], effects: ['unreadable'], example: 'rm a' });
    expect(read).not.toHaveProperty('errorClass');
    expect(shape).toEqual({ outcome: 'failure', judged: true, uses: ['rm', 'ls'], changes: [] });
    expect(readRunBody(earlier(run).body)).toEqual({ run: { ...request.run, changes: [] }, origin });
  });
});

describe('the body of a lesson', () => {
  it('keeps its tally whole, however long the lesson is', () => {
    const body = readInsightBody(insight.body);
    const tally = {
      ...tallyOf(body),
      digests: 'd'.repeat(20_000),
      absorbed: Array.from({ length: 128 }, (_, n) => `${n}`),
    };
    const long = { ...body, insight: { ...body.insight, content: '"'.repeat(40_000) }, tally };

    const json = fitInsightBody(long);

    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(65_535);
    expect(JSON.parse(json)).toMatchObject({ name: body.name, origin, tally });
    expect(JSON.parse(json).insight.content).toMatch(/^"{100,}$/);
  });
});

describe('an upgraded row', () => {
  it('gains missing fields and the effects of its example, and is otherwise the same', () => {
    const old = earlier(insight);
    const upgraded = upgradedRow(old);

    expect({ ...upgraded, body: '' }).toEqual({ ...insight, body: '' });
    expect(JSON.parse(upgraded.body)).toMatchObject({
      insight: { scope: 'task', rule: 'old', actions: [expect.any(String)], effects: ['destroys'] },
      run: { changes: [] },
      origin,
    });
  });

  it('gains effects that an earlier version did not see, and loses none', () => {
    const effectsOf = (given: Parameters<typeof anInsight>[0]) => {
      const stored = aReplacement({ insights: [anInsight({ example: 'rm a', ...given })] });
      const [, row] = buildRows(stored, 'clean up', aVector(1)) as [Row, Row];
      return JSON.parse(upgradedRow(row).body).insight.effects;
    };

    expect(effectsOf({ effects: ['connects'] })).toEqual(['connects', 'destroys']);
    expect(effectsOf({ rule: 'reply', effects: [] })).toEqual([]);
  });

  it('is the same object if nothing changes', () => {
    const once = upgradedRow(earlier(insight));

    expect(once).not.toEqual(earlier(insight));
    expect(upgradedRow(once)).toBe(once);
    expect(upgradedRow(insight)).toBe(insight);
    expect(upgradedRow(earlier(run))).toEqual(earlier(run));
    const vote = aRow(aCollection('x'), { type: 'vote', body: '{"vote":{}}' });
    expect(upgradedRow(vote)).toBe(vote);
  });

  it('fits a text column', () => {
    const [, large] = buildRows(
      aReplacement({ insights: [anInsight({ content: 'x'.repeat(70_000), example: 'y' })] }),
      'i',
      aVector(1),
    ) as [Row, Row];
    const tight = { ...earlier(large) };
    tight.body = tight.body.replace(
      /x+/,
      'x'.repeat(65_530 - (tight.body.length - (/x+/.exec(tight.body)?.[0].length ?? 0))),
    );

    expect(Buffer.byteLength(tight.body)).toBe(65_530);
    expect(Buffer.byteLength(upgradedRow(tight).body)).toBeLessThanOrEqual(65_535);
    expect(JSON.parse(upgradedRow(tight).body).insight).toMatchObject({ rule: 'old', example: 'y' });
  });
});

describe('cutText', () => {
  it('never splits a character', () => {
    const text = 'aé漢🦜'.repeat(50);
    for (let bytes = 0; bytes < 120; bytes++) {
      const cut = cutText(text, bytes);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(bytes);
      expect(Buffer.byteLength(cut)).toBeGreaterThan(bytes - 4);
      expect(text.startsWith(cut)).toBe(true);
    }
  });

  it('keeps what fits', () => {
    expect(cutText('漢'.repeat(10), 30)).toBe('漢'.repeat(10));
  });
});

describe('fitJson', () => {
  it('keeps what fits', () => {
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

  it('limits text that grows by escaping', () => {
    expect(Buffer.byteLength(fitJson({ text: '\0'.repeat(60_000) }, 65_535))).toBeLessThanOrEqual(65_535);
  });
});
