import { closingLine, openingLine } from '@whetstone/reading';
import { readForModel } from './read-for-model.js';

describe('what a model gets to read', () => {
  it('has no advice that Whetstone gave before', () => {
    const inputs = `Do it.\n${openingLine}\n1. Use find\n${closingLine}\nThanks`;

    const { intent, transcript } = readForModel(
      { query: inputs, turns: [{ turn: 1, inputs, decision: 'ls', result: inputs }] },
      500,
    );

    expect(`${intent}\n${transcript}`).not.toContain('Use find');
    expect(transcript).toContain('Thanks');
  });

  it.each([
    ['finish[42]', true],
    ['<think>what is six times seven?</think>', false],
  ])('is worth asking about where all that was done is %j: %j', (decision, teachable) => {
    const run = { query: 'What is six times seven?', turns: [{ turn: 1, inputs: '', decision }] };

    expect(readForModel(run, 500).teachable).toBe(teachable);
  });
});
