import type { Insight } from './insight.js';
import { type StoredInsight, typedInsight } from './typed-insight.js';

const old: StoredInsight = {
  kind: 'strategy',
  title: 'Let find do the deleting',
  appliesWhen: 'tasks like “delete old logs”',
  content: 'One pass.',
  steps: [],
  example: 'find /var -delete',
  polarity: 'success',
  evidence: [1],
  confidence: 0.7,
};

const typed: Insight = { ...old, scope: 'agent', rule: 'a-rule', actions: ['find delete'], effects: ['destroys'] };

describe('an insight from before lessons were typed', () => {
  it.each<[string, Partial<StoredInsight>, Insight['scope']]>([
    ['a strategy of its task', {}, 'task'],
    ['what failed at its task, its error quoted', { kind: 'pitfall', title: '`make` ends in “no rule”' }, 'task'],
    [
      'a mistake of form',
      {
        kind: 'recovery',
        title: 'Send the bare action, without back-ticks',
        appliesWhen: 'the environment executes the decision as it stands',
      },
      'format',
    ],
    ['a mistake of form, by its title alone', { title: 'Send the bare action, without explanations' }, 'format'],
    [
      'a mistake of form, by its condition alone',
      { kind: 'pitfall', title: 'x', appliesWhen: 'the environment executes the decision as it stands' },
      'format',
    ],
    ['the way out of an error', { kind: 'recovery', appliesWhen: '`apt` answers “E: Unable to locate”' }, 'error'],
    ['the way out of an error in a model’s words', { kind: 'recovery', appliesWhen: 'apt finds no package' }, 'error'],
    ['an error again and again', { kind: 'pitfall', appliesWhen: '`make` brings “no rule” twice' }, 'error'],
    ['a pitfall that quotes no error', { kind: 'pitfall', appliesWhen: 'the user says yes to a change' }, 'task'],
    ['a strategy that quotes something', { title: 'Say “done” at the end', appliesWhen: 'at the end' }, 'task'],
  ])('is about what it was about: %s', (_, given, scope) => {
    expect(typedInsight({ ...old, ...given })).toMatchObject({ scope, rule: 'old' });
  });

  it('that has no condition is about its error, or else about its task', () => {
    const { appliesWhen: _, ...unconditional } = old;

    expect(typedInsight({ ...unconditional, kind: 'pitfall', title: '`make` ends in “no rule”' }).scope).toBe('error');
    expect(typedInsight({ ...unconditional, kind: 'pitfall' }).scope).toBe('task');
    expect(typedInsight(unconditional).scope).toBe('task');
  });

  it('keeps what it says, and what its example does cannot be told', () => {
    expect(typedInsight(old)).toEqual({ ...old, scope: 'task', rule: 'old', actions: [], effects: ['unreadable'] });
  });

  it('that has no example does nothing', () => {
    const { example: _, ...without } = old;

    expect(typedInsight(without)).toMatchObject({ actions: [], effects: [] });
  });

  it('is one also where an earlier version sent empty lists in place of what it does not know', () => {
    expect(typedInsight({ ...old, actions: [], effects: [] })).toEqual(typedInsight(old));
  });

  it('does what a reader of its example says, also when it was written anew without one', () => {
    const read = (example: string) => ({ actions: [`read ${example}`], effects: [] });
    const expected = { ...typedInsight(old), actions: ['read find /var -delete'], effects: [] };

    expect(typedInsight(old, read)).toEqual(expected);
    expect(typedInsight(typedInsight(old), read)).toEqual(expected);
    const { example: _, ...without } = old;
    expect(typedInsight(without, read)).toMatchObject({ actions: [], effects: [] });
  });
});

it('an insight that was made typed stays as it is, whatever a reader would say', () => {
  expect(typedInsight(typed)).toBe(typed);
  expect(typedInsight(typed, () => ({ actions: ['other'], effects: [] }))).toBe(typed);
});
