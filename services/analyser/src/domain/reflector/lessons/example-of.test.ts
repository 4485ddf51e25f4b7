import type { Action } from '../actions/action.js';
import { exampleChars, exampleOf } from './example-of.js';

function shell(text: string): Action {
  return { kind: 'shell', name: text, args: {}, text };
}

function script(name: string, lines: number): string {
  return [name, ...Array.from({ length: lines }, (_, at) => `echo line ${at} of the script`)].join('\n');
}

it('shows every action where there is room', () => {
  expect(exampleOf(shell('make clean'), shell('make all'))).toBe('make clean\nmake all');
});

it('leaves a whole script out rather than showing halves, and keeps the short commands', () => {
  const [first, last] = [script('first', 30), script('last', 40)];

  expect(exampleOf(shell(first), shell(last), shell('make test'))).toBe(`${last}\nmake test`);
});

it('cuts a script that is too long alone at the end of a line', () => {
  const example = exampleOf(shell(script('long', 200)), shell('make test'));

  expect(example.length).toBeLessThanOrEqual(exampleChars);
  expect(example).toMatch(/of the script\n…\nmake test$/);
});
