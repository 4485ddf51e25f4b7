import { interactionOf } from '../../test-kit/sample-runs.js';
import { isInformative, taskIntent, withoutSpeaker } from './task-intent.js';

const intent = (query: string, told = '') => taskIntent(interactionOf({ query, turns: [['ls', 'a', told]] }));

it.each('hi hello hey help test continue go on start begin yes no ok okay please thanks thank you ! ?'.split(' '))(
  'no task is told by %s alone',
  (word) => {
    expect(isInformative(`${word} ${word}!`)).toBe(false);
    expect(intent(word, 'user: Sort the files')).toBe('Sort the files');
  },
);

it.each('user human customer task instruction question observation system tool function'.split(' '))(
  'who speaks is no part of what is said: %s',
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
])('a greeting is no part of the task: %s', (greeting) => {
  expect(intent(`${greeting} Sort the files`)).toBe('Sort the files');
});

it.each(['Hi-res pictures', 'Good news: sort them', 'Hello world', 'Show all: sort them'])(
  'what is none stays: %s',
  (task) => {
    expect(intent(task)).toBe(task);
  },
);
