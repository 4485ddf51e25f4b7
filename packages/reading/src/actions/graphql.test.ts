import { effectsOf } from '../effects/effects.js';
import { shapeOfAction } from '../values/action-shape.js';
import type { Action } from './action.js';
import { readGraphql } from './graphql.js';
import { normalForm, objectsOf } from './normal-form.js';
import { readActions } from './read-actions.js';

const nothing = () => false;
const only = (text: string) => readActions(text)[0] as Action;

describe('a GraphQL document', () => {
  it.each([
    ['mutation { closeTask(input: {id: "T1"}) { task { id state } } }', true, ['closeTask']],
    ['query { board(owner: "a", first: 3) { tasks(states: OPEN) { total } } }', false, ['board']],
    [
      'query Find($id: ID! = "x", $n: [Int!]) @live { one: task(id: $id) { id } board { id } }',
      false,
      ['task', 'board'],
    ],
    ['subscription { taskClosed { id } }', false, ['taskClosed']],
    ['{ viewer { login } }', false, ['viewer']],
    ['fragment F on Task { id } query { task(id: 7) { ...F ... on Bug { n } } }', false, ['task']],
    ['query A { a { id } } mutation B { b(text: """say "hi" now""") { id } }', true, ['a', 'b']],
    ['query {\n  # the board\n  board { id }\n}', false, ['board']],
  ])('is read: %s', (text, isMutation, fields) => {
    expect(readGraphql(text)).toEqual({ isMutation, fields });
  });

  it.each([
    'query the table { orders }',
    'query',
    '{ a b }',
    '{"query": {"a": 1}}',
    '{ name: "x", items { n } }',
    'query { a { b }',
    'query { a ) }',
    'mutation { close(id: 3) { id } } now, please.',
    'SELECT a FROM b',
  ])('is none: %s', (text) => {
    expect(readGraphql(text)).toBeUndefined();
  });

  const document = 'mutation { closeTask(id: "T1", n: 7) { id } }';
  const masked = 'mutation { closeTask(id: "…", n: …) { id } }';

  it.each([
    [document, masked],
    [`\`\`\`graphql\n${document}\n\`\`\``, masked],
    [
      JSON.stringify({ query: document, variables: { id: 'T1' } }),
      `{"query": ${JSON.stringify(masked)}, "variables": {"id": "…"}}`,
    ],
    [`POST /graphql ${JSON.stringify({ query: document })}`, `POST /graphql {"query": ${JSON.stringify(masked)}}`],
    [`send(query=${JSON.stringify(document)})`, `send(query=${JSON.stringify(masked)})`],
    [`Action: send\nAction Input: ${document}`, `Action: send\nAction Input: ${masked}`],
  ])('is an action that changes something, and its literals are values: %s', (decision, shape) => {
    const action = only(decision);

    expect(action.kind).not.toBe('reply');
    expect(objectsOf(action)).toContain('closeTask');
    expect(effectsOf(action)).toEqual(['changes']);
    expect(shapeOfAction(action, nothing)).toBe(shape);
  });

  it('shows what the task has, and no comment', () => {
    const action = only('query {\n  # for Mira\n  task(id: "T1", sort: NEWEST, n2: $n) { id }\n}');

    expect(shapeOfAction(action, (value) => value === 'T1')).toBe(
      'query {\n  task(id: "T1", sort: NEWEST, n2: $n) { id }\n}',
    );
    expect(shapeOfAction(action, nothing)).toBe('query {\n  task(id: "…", sort: NEWEST, n2: $n) { id }\n}');
  });

  it('is the same in another layout, and another with other fields', () => {
    const forms = ['query { board { id } }', 'query {\n  board { id }\n}', 'query { board { name } }'].map((text) =>
      normalForm(only(text)),
    );

    expect(forms[0]).toBe(forms[1]);
    expect(forms[0]).not.toBe(forms[2]);
  });

  it.each([
    ['query { deletedTasks { id } }', []],
    ['mutation { getToken { id } }', ['changes']],
    ['mutation { addTask(n: 1) { id } deleteTask(id: 2) { id } }', ['destroys']],
    ['POST /graphql {"query": "query { board { id } }"}', []],
    ['POST /graphql {"query": "mutation { deleteBoard(id: 1) { id } }"}', ['destroys']],
    ['purge_all(query="query { board { id } }")', ['destroys']],
  ])('has the effects of its fields: %s', (decision, effects) => {
    expect(effectsOf(only(decision))).toEqual(effects);
  });
});
