import { reflect } from '../reflect.js';
import { type Exchange, interactionOf } from '../test-kit/interactions.js';

const query = 'Water the fern and put it on the balcony';
const search: Exchange[] = [
  ['look around', 'You are in the hall.'],
  ['think: the fern may be in the kitchen', 'OK.'],
  ['go to bathroom 1', 'You see a towel.'],
  ['go to kitchen 1', 'You see a fern 2 and a can 1.'],
  ['examine shelf 1', 'Nothing special.'],
];

function lessonsOf(turns: Exchange[], success: boolean) {
  return reflect(interactionOf({ query, agentType: 'household', success, turns })).insights;
}

it('tells the orders that led to a success, without the search', () => {
  const [lesson] = lessonsOf(
    [
      ...search,
      ['pour water from can 1 on fern 2', 'The fern is wet.'],
      ['take fern 2 from kitchen 1', 'You hold the fern.'],
      ['go to balcony 1', 'It is sunny.'],
      ['put fern 2 on balcony 1', 'The fern stands on the balcony.'],
    ],
    true,
  );

  expect(lesson?.title).toBe(
    'Steps that worked: pour water from can on fern → take fern from kitchen → put fern on balcony',
  );
  expect(lesson?.steps).toEqual([
    'go to kitchen',
    'pour water from can on fern',
    'take fern from kitchen',
    'go to balcony',
    'put fern on balcony',
  ]);
  expect(lesson?.example).toContain('take fern 2 from kitchen 1');
});

it('tells an order that had no effect, and another form of it that had', () => {
  const lessons = lessonsOf(
    [
      ...search,
      ['pour can 1 on fern 2', 'Nothing happens.'],
      ['water fern 2 with can 1', 'The fern is wet.'],
      ['take fern 2 from kitchen 1', 'You hold the fern.'],
      ['put fern 2 on balcony 1', 'The fern stands on the balcony.'],
    ],
    true,
  );

  expect(lessons[1]).toMatchObject({ kind: 'recovery', example: 'water fern 2 with can 1' });
  expect(lessons[1]?.content).toContain('What worked: “water fern with can”');
});

it('takes going elsewhere for no way past what failed', () => {
  const lessons = lessonsOf(
    [...search, ['take fern 3 from kitchen 1', 'Nothing happens.'], ['go to kitchen 1', 'You see a fern 2.']],
    false,
  );

  expect(lessons.map(({ kind }) => kind)).not.toContain('recovery');
  expect(lessons[0]?.content).toContain('the hands free');
});

it('takes neither a talk nor bare commands for orders', () => {
  const talk = lessonsOf(
    [
      [
        'Where does the fern stand, and how often is it watered at present, as far as you know?',
        'In the hall. Weekly.',
      ],
      ['Give it a glass of water twice a week, and let it stand where the sun does not burn its leaves.', 'Thanks.'],
      ['You are welcome, and tell me how it gets on.', 'I will.'],
    ],
    true,
  );
  const shell = lessonsOf(
    [
      ['ls', 'fern.txt'],
      ['pwd', '/srv'],
      ['cat fern.txt', 'dry'],
    ],
    true,
  );

  expect(talk[0]?.title).toMatch(/^Answer that settled it/);
  expect(shell[0]?.title).toBe('Use `cat`');
});
