import type { Interaction, RunTrail, TrailStep } from '@whetstone/contracts';
import fc from 'fast-check';

import { estimateTokens, withoutControlTokens, writeTrails, writeTranscript } from './transcript.js';

const noErrors = new Set<number>();

describe('the transcript of a run', () => {
  it('is complete if it fits', () => {
    const run: Interaction = {
      query: 'Count the orders',
      agentType: 'sql',
      turns: [
        { turn: 1, inputs: 'schema', decision: 'SELECT count(*) FROM order', result: 'syntax error' },
        { turn: 2, inputs: 'syntax error', decision: 'SELECT count(*) FROM "order"', result: '' },
      ],
    };

    expect(writeTranscript(run, { budgetTokens: 1_000, errorTurns: noErrors })).toBe(
      [
        'AGENT: sql\nTASK: Count the orders',
        'TURN 1\nSAW: schema\nDID: SELECT count(*) FROM order\nGOT: syntax error',
        'TURN 2\nDID: SELECT count(*) FROM "order"\nGOT: (nothing)',
      ].join('\n\n'),
    );
  });

  it('keeps turns with the same number', () => {
    const turns = ['ls', 'pwd', 'id'].map((decision) => ({ turn: 0, inputs: '', decision }));

    const transcript = writeTranscript({ query: 'Look around', turns }, { budgetTokens: 1_000, errorTurns: noErrors });

    expect(transcript).toBe('TASK: Look around\n\nTURN 0\nDID: ls\n\nTURN 0\nDID: pwd\n\nTURN 0\nDID: id');
  });

  it('contains repeated inputs only once', () => {
    const first = 'user: Where is my parcel?';
    const run: Interaction = {
      query: 'Where is my parcel?',
      turns: [
        { turn: 1, inputs: first, decision: 'track({"id": 1})', result: '{"state": "lost"}' },
        { turn: 2, inputs: 'tool: {"state": "lost"}', decision: 'It is lost.', result: 'Oh no' },
        { turn: 3, inputs: 'tool: {"state": "lost"}\nuser: Oh no\nsystem: be kind', decision: 'I am sorry.' },
      ],
    };

    expect(writeTranscript(run, { budgetTokens: 1_000, errorTurns: noErrors })).toBe(
      [
        'TASK: Where is my parcel?',
        'TURN 1\nDID: track({"id": 1})\nGOT: {"state": "lost"}',
        'TURN 2\nDID: It is lost.\nGOT: Oh no',
        'TURN 3\nSAW: user: Oh no\nsystem: be kind\nDID: I am sorry.',
      ].join('\n\n'),
    );
  });

  it('shortens long texts first, then leaves out turns in the middle', () => {
    const text = (chars: number) => `begin ${'x'.repeat(chars)} end`;
    const turns = (count: number, chars: number) =>
      Array.from({ length: count }, (_, at) => ({ turn: at + 1, inputs: '', decision: text(chars), result: 'ok' }));

    const few = writeTranscript({ query: 'q', turns: turns(3, 9_000) }, { budgetTokens: 3_000, errorTurns: noErrors });
    expect(few.match(/TURN /g)).toHaveLength(3);
    expect(few.match(/begin x+ \(…\) x+ end/g)).toHaveLength(3);

    const many = writeTranscript(
      { query: 'q', turns: turns(300, 900) },
      { budgetTokens: 2_000, errorTurns: new Set([150]) },
    );
    for (const kept of [1, 2, 150, 297, 298, 299, 300]) expect(many).toContain(`TURN ${kept}\n`);
    expect(many).toMatch(/\(\d+ turns left out\)/);
    expect(estimateTokens(many)).toBeLessThanOrEqual(2_000);
  });

  it('never exceeds the budget', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 800 });
    const anyTurn = fc.record({ inputs: anyText, decision: anyText, result: fc.option(anyText, { nil: undefined }) });
    fc.assert(
      fc.property(
        fc.array(anyTurn, { maxLength: 20 }),
        anyText,
        fc.integer({ min: 300, max: 5_000 }),
        (all, query, budgetTokens) => {
          const turns = all.map(({ result, ...turn }, at) => ({
            turn: at + 1,
            ...turn,
            ...(result === undefined ? {} : { result }),
          }));
          const transcript = writeTranscript({ query, turns }, { budgetTokens, errorTurns: new Set([3, 4]) });

          expect(estimateTokens(transcript)).toBeLessThanOrEqual(budgetTokens);
          expect(transcript).not.toMatch(/\p{Surrogate}/u);
        },
      ),
      { numRuns: 100 },
    );
  });
});

function aTrail(...steps: (Partial<TrailStep> & { action: string })[]): RunTrail {
  const numbered = steps.map((step, at): TrailStep => ({ turn: at + 1, outcome: 'ok', ...step }));
  return { outcome: 'success', judged: false, uses: [], changes: [], steps: numbered };
}

describe('trails', () => {
  it('list each action and its result', () => {
    const trail = aTrail(
      { action: 'get_order(17)', outcome: 'error', note: 'no such order' },
      { action: 'find_order("lamp")', note: '{"id": 18}' },
      { action: 'refund(18)' },
    );

    expect(writeTrails([trail, { ...trail, outcome: 'failure', steps: [] }], 1_000)).toBe(
      [
        'RUN 1, ended in success',
        'DID: get_order(17)',
        'GOT an error: no such order',
        'DID: find_order("lamp")',
        'GOT: {"id": 18}',
        'DID: refund(18)',
        '',
        'RUN 2, ended in failure',
      ].join('\n'),
    );
  });

  it('are empty without runs', () => {
    expect(writeTrails([], 1_000)).toBe('');
  });

  it('leave out steps in the middle that do not fit, and say how many', () => {
    const long = aTrail(...Array.from({ length: 40 }, (_, at) => ({ action: `step number ${at} of the run` })));

    const text = writeTrails([long, long], 200);

    expect(estimateTokens(text)).toBeLessThanOrEqual(200);
    expect(text).toMatch(/step number 0 of.*\(\d+ steps left out\)\nDID: step number \d+ of.*step number 39 of/s);
    expect(writeTrails([long], 1)).toBe('RUN 1, ended in success\n(40 steps left out)');
  });

  it('contain no control tokens', () => {
    expect(writeTrails([aTrail({ action: 'say <|im_end|>' })], 1_000)).not.toContain('<|im_end|>');
  });
});

describe('control tokens of chat templates', () => {
  it.each([
    ['a<|im_end|>b', 'a(im_end)b'],
    ['<|im_start|>system', '(im_start)system'],
    ['<|begin_of_text|><|eot_id|>', '(begin_of_text)(eot_id)'],
    ['<｜User｜>', '(User)'],
    ['[INST] do it [/INST]', '(INST) do it (/INST)'],
    ['<<SYS>>', '(SYS)'],
    ['</s><s>', '(/s)(s)'],
    ['<start_of_turn>user', '(start_of_turn)user'],
  ])('are rewritten so that no server interprets them: %s', (text, expected) => {
    expect(withoutControlTokens(text)).toBe(expected);
  });

  it.each(['a <= b || c > d', 'if (x < y | z > w)', 'array[INSTANCE]', '<section>', 'echo "a|b" > c'])(
    'leave other text unchanged: %s',
    (text) => {
      expect(withoutControlTokens(text)).toBe(text);
    },
  );
});
