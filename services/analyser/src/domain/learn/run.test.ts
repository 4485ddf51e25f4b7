import { withoutSpeaker } from '@whetstone/reading';
import { interactionOf, type Sample } from '../../test-kit/sample-runs.js';
import { wordsIn } from './phrases.js';
import { isInformative, judgeRun, taskIntent, verdictRows } from './run.js';
import { readSteps } from './steps.js';

const intent = (query: string, told = '') => taskIntent(interactionOf({ query, turns: [['ls', 'a', told]] }));

it.each('hi hello hey help test continue go on start begin yes no ok okay please thanks thank you ! ?'.split(' '))(
  '%s alone is not a task',
  (word) => {
    expect(isInformative(`${word} ${word}!`)).toBe(false);
    expect(intent(word, 'user: Sort the files')).toBe('Sort the files');
  },
);

it.each('user human customer task instruction question observation system tool function'.split(' '))(
  'a speaker label is removed: %s',
  (speaker) => {
    expect(withoutSpeaker(`${speaker}: Sort it`)).toBe('Sort it');
    expect(withoutSpeaker(`the ${speaker}: Sort it`)).toBe(`the ${speaker}: Sort it`);
  },
);

it.each([
  'Hi!',
  'Hello,',
  'Hey there,',
  'Greetings.',
  'Good morning!',
  'Good afternoon,',
  'Good evening:',
  'Dear Ann,',
  'Hello Ann\n\n',
  '\n Hi team,\n',
])('a greeting is removed from the task: %s', (greeting) => {
  expect(intent(`${greeting} Sort the files`)).toBe('Sort the files');
});

it.each(['Hi-res pictures', 'Good news: sort them', 'Hello world', 'Show all: sort them'])(
  'what only looks like a greeting stays: %s',
  (task) => {
    expect(intent(task)).toBe(task);
  },
);

const judged = (success: boolean | undefined, ...turns: Sample['turns']) =>
  judgeRun(success, readSteps(interactionOf({ query: 'Do it', agentType: 'shell', turns })));

it.each(verdictRows)('$by says $outcome: $yes', ({ signs, by, outcome, yes, no }) => {
  expect(judged(undefined, [by === 'talk' ? 'Please try that again now.' : 'make check', yes]).outcome).toBe(outcome);
  expect(signs(wordsIn(no))).toBe(false);
});

it.each([
  ['environment', 'failure', 'reward: 0.0'],
  ['environment', 'success', 'reward = 1'],
  ['environment', 'failure', '1 test failed'],
  ['environment', 'failure', 'the task failed'],
  ['environment', 'failure', 'tests failed'],
  ['environment', 'failure', 'wrong answer'],
  ['environment', 'failure', 'incorrect answer'],
  ['environment', 'success', '12 passed'],
  ['environment', 'success', 'task is complete'],
  ['environment', 'success', 'Task solved'],
  ['environment', 'success', 'task done'],
  ['environment', 'success', 'correct answer'],
  ['talk', 'failure', "It didn't help."],
  ['talk', 'failure', 'That does not work.'],
  ['talk', 'failure', 'It is still not there.'],
  ['talk', 'failure', 'It still fails.'],
  ['talk', 'failure', 'That is not what I asked for.'],
  ['talk', 'failure', 'Not what I wanted.'],
  ['talk', 'failure', 'useless!'],
  ['talk', 'success', "That's all I needed."],
  ['talk', 'success', 'That is exactly it.'],
  ['talk', 'success', 'That did it.'],
  ['talk', 'success', 'That fixed it.'],
  ['talk', 'success', 'It works now.'],
  ['talk', 'success', 'It works great.'],
  ['talk', 'success', 'Works fine.'],
  ['talk', 'success', 'Perfect, thank you.'],
])('%s says %s: %s', (by, outcome, result) => {
  expect(judged(undefined, [by === 'talk' ? 'Please try that again now.' : 'make check', result]).outcome).toBe(
    outcome,
  );
});

it("trusts the caller's outcome over everything else", () => {
  expect(judged(true, ['make check', '3 failed'])).toEqual({ outcome: 'success', judged: false });
  expect(judged(false, ['make check', '3 passed'])).toEqual({ outcome: 'failure', judged: false });
});

it('treats a final error or repetition as failure, and silence as unknown', () => {
  expect(judged(undefined, ['cat x', 'cat: x: No such file or directory']).outcome).toBe('failure');
  expect(judged(undefined, ['ls', 'a'], ['ls', 'a']).outcome).toBe('failure');
  expect(judged(undefined, ['ls', 'a'])).toEqual({ outcome: 'unknown', judged: true });
  expect(judged(undefined)).toEqual({ outcome: 'unknown', judged: true });
});
