import type { Interaction } from '@whetstone/contracts';

import { closingLine, openingLine } from './advice-marks.js';
import { ownWords } from './own-words.js';

const task = 'Delete the log files over 10 MB below /var';
const command = "find /var -name '*.log' -size +10M -delete";
const sentences = [
  'Let find do the selecting and the deleting in one pass.',
  'Names with spaces break a pipe into rm.',
  'Look at what would go before it goes.',
];
const block = [
  openingLine,
  `1. [what worked · 3 runs] ${sentences[0]}`,
  `   When: deleting files chosen by size or age. Example: ${command}`,
  `2. [avoid · 2 runs] ${sentences[1]} ${sentences[2]}`,
  '   When: tasks like “delete many files below a folder”.',
  closingLine,
].join('\n');
const told = `${task}\n\n${block}`;

function run(turn: Partial<Interaction['turns'][number]>, query = told): Interaction {
  return { query, agentType: 'shell', success: true, turns: [{ turn: 1, inputs: told, decision: command, ...turn }] };
}

describe('the own words of an interaction', () => {
  it('hold no advice, in whichever field it comes back', () => {
    const own = ownWords(run({ memory: block, result: block, decision: `${block}\n\nAction: ${command}` }));

    expect(own).toEqual({
      ...run({}, task),
      turns: [{ turn: 1, inputs: task, memory: '', result: '', decision: `Action: ${command}` }],
    });
  });

  it('are the interaction itself where there is no advice in it', () => {
    const plain = run({ inputs: 'ls' }, task);

    expect(ownWords(plain)).toBe(plain);
  });

  it.each([
    ['as a plan', `My plan:\n1. ${sentences[0]}\n2. ${sentences[2]}`],
    ['as a paragraph', `I know this. ${sentences.join(' ')}`],
    ['with emphasis', `- **${sentences[0]}**\n- *${sentences[1]}*`],
    ['with its label', 'When: deleting files chosen by size or age.'],
  ])('do not count what repeats advice word for word: %s', (_, decision) => {
    const [turn] = ownWords(run({ decision })).turns;

    for (const sentence of [...sentences, 'deleting files chosen by size']) {
      expect(turn?.decision).not.toContain(sentence);
    }
  });

  const detailed = [
    openingLine,
    '1. [recovered · 2 runs] Let find do the selecting and the deleting in one pass.',
    '   When: the files are chosen by size or age.',
    '   Not when: the folder is shared with other people.',
    '   Steps: list them first, then delete them in one go.',
    '2. [avoid · 1 run] Names with spaces break a pipe into rm. Example: Quote every name in the list first.',
    '3. [avoid · 1 run] Look at what would go before it goes. What failed: Pipe the whole list into rm at once.',
    closingLine,
  ].join('\n');

  it.each([
    'The files are chosen by size or age.',
    'The folder is shared with other people.',
    'List them first, then delete them in one go.',
  ])('do not count what repeats a detail of advice without its label: %s', (sentence) => {
    for (const end of ['\n', '\r\n', '\\n', '\\r\\n']) {
      const own = ownWords(run({ inputs: detailed, decision: `${sentence}${end}${command}` }));

      expect(own.turns[0]?.decision).toBe(command);
    }
  });

  it.each(['Example: Quote every name in the list first.', 'What failed: Pipe the whole list into rm at once.'])(
    'keep what the agent did, also where an example of the advice shows it: %s',
    (decision) => {
      expect(ownWords(run({ inputs: detailed, decision })).turns[0]?.decision).toBe(decision);
    },
  );

  it('keep words of the agent that are its own', () => {
    const decision = 'Let me look first. Names with spaces are a risk here, so I use find.';

    expect(ownWords(run({ decision })).turns[0]?.decision).toBe(decision);
  });

  it('are found among more pieces of advice than fit on a stack', () => {
    const many = '[avoid · 1 run] a\n'.repeat(200_000);

    expect(ownWords(run({ inputs: many, decision: many })).turns[0]).toMatchObject({ inputs: '', decision: '' });
  });
});
