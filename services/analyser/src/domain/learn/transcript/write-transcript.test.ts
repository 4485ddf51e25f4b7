import type { Interaction } from '@whetstone/contracts';
import fc from 'fast-check';

import { estimateTokens } from './estimate-tokens.js';
import { writeTranscript } from './write-transcript.js';

const noErrors = new Set<number>();

describe('a run as a model reads it', () => {
  it('is whole where it fits', () => {
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

  it('leaves out no turn because another bears its number', () => {
    const turns = ['ls', 'pwd', 'id'].map((decision) => ({ turn: 0, inputs: '', decision }));

    const transcript = writeTranscript({ query: 'Look around', turns }, { budgetTokens: 1_000, errorTurns: noErrors });

    expect(transcript).toBe('TASK: Look around\n\nTURN 0\nDID: ls\n\nTURN 0\nDID: pwd\n\nTURN 0\nDID: id');
  });

  it('says once what the agent sees again and again', () => {
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

  it('loses the middle of its texts first, then the turns in its middle', () => {
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

  it('never is longer than the budget, whatever it says', () => {
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
