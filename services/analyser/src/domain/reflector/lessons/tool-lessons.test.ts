import type { Insight } from '@whetstone/contracts';

import { reflect } from '../reflect.js';
import { type Exchange, interactionOf } from '../test-kit/interactions.js';

const query = 'I want to give back the piano that I have rented.';

function strategiesOf(turns: readonly Exchange[], task = query): Insight[] {
  const { insights } = reflect(interactionOf({ query: task, agentType: 'rental_support', success: true, turns }));
  return insights.filter(({ kind }) => kind === 'strategy');
}

const lookUp: Exchange = [
  'get_rental({"rental_id": "PNQZ"})',
  '{"item": "piano", "months_left": 5, "name": "Ada Byron"}',
];

it('teaches to decline under a condition, by the rule that the agent gave, and to hand over where that was the end', () => {
  const [lesson] = strategiesOf([
    lookUp,
    [
      'Unfortunately, instruments cannot be returned during the first year unless they are damaged.',
      'Let me talk to someone!',
    ],
    ['transfer_to_colleague_human({"summary": "Ada Byron wants to return a piano early."})', 'Transferred'],
  ]);

  expect(lesson?.content).toBe(
    'Look the case up first (`get_rental`). Where this holds, decline, change nothing and hand over with `transfer_to_colleague_human`: “Instruments cannot be returned during the first year unless they are damaged.”',
  );
  expect(lesson?.example).toBeUndefined();
});

it('prefers the rule that is said of things to the one that is said of the one case', () => {
  const [lesson] = strategiesOf([
    lookUp,
    ['Since your rental began in May, I cannot take it back before the winter is over.', 'Why?'],
    ['Rentals can only be ended after twelve months.', 'I see.'],
  ]);

  expect(lesson?.title).toBe('Decline where this holds: Rentals can only be ended after twelve months.');
});

it('takes no refusal without a reason for a rule', () => {
  const [lesson] = strategiesOf([lookUp, ['I am unable to take the piano back.', 'A pity.']]);

  expect(lesson?.content).not.toContain('decline');
  expect(lesson?.content).toContain('Change something only on a clear yes.');
});

it('teaches when to hand over, in the words told to the person and without who it was about', () => {
  const [lesson] = strategiesOf([
    lookUp,
    [
      'escalate({"summary": "User Ada Byron (rental PNQZ) reports that the piano was broken when it was delivered."})',
      'Transferred',
    ],
  ]);

  expect(lesson?.content).toBe(
    'Look the case up first (`get_rental`). In a case like this change nothing and hand over with `escalate`: “The user reports that the piano was broken when it was delivered.”',
  );
});

it('counts what was changed for each of several things, and not how often was looked', () => {
  const [lesson] = strategiesOf([
    lookUp,
    lookUp,
    ['end_rental({"rental_id": "PNQZ"})', '{"status": "ended"}'],
    ['end_rental({"rental_id": "PNQX"})', '{"status": "ended"}'],
  ]);

  expect(lesson?.content).toBe(
    'Read the records first: `get_rental`. Then call `end_rental` for each of them (2 here).',
  );
});

it('says what it applies to without the ids and names that the records show', () => {
  const [lesson] = strategiesOf(
    [lookUp, ['end_rental({"rental_id": "PNQZ"})', '{"status": "ended"}']],
    'End the rental PNQZ of Ada, please',
  );

  expect(lesson?.appliesWhen).toBe('tasks like “End the rental … of …, please”');
});
