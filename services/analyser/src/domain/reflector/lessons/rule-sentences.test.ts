import { deedsOf, readSteps } from '../read-steps.js';
import { interactionOf } from '../test-kit/interactions.js';
import { statedRules } from './rule-sentences.js';

function rulesIn(...replies: string[]): string[] {
  const turns = replies.map((reply) => [reply, 'I see.'] as const);
  const deeds = deedsOf(readSteps(interactionOf({ query: 'My bicycle needs a repair.', turns })));
  return statedRules(deeds, new Set(), 3).map(({ text }) => text);
}

it.each([
  'Repairs under warranty can only be done within two years of the purchase.',
  'Since the frame is cracked, I cannot repair it under warranty.',
  'We can only exchange whole wheels, not single spokes.',
  'The deposit must be paid before a part is ordered (e.g. a saddle or a chain).',
])('takes a rule of the trade: “%s”', (rule) => {
  expect(rulesIn(rule)).toEqual([rule]);
});

it.each([
  'I am unable to search for the bicycle without the frame number.',
  'I cannot look up repairs by the colour of the bicycle alone.',
  'I cannot guarantee that it will be ready because the parts are late.',
  'It is in repair already, so it cannot be lent out.',
  '– Repair: cannot be cancelled (already begun).',
  'Status: cannot be cancelled because it has begun.',
  'If you cannot find the receipt, I can only look for it by the day of purchase.',
  'Confirm that these are all parts, as orders can only be changed once.',
  'The repair of the bell is not possible.',
  'The number of the frame (it must be the one on the receipt).',
  'I can only assist with repairs if you have a bicycle.',
])('takes no inability, remark, request or fragment for one: “%s”', (sentence) => {
  expect(rulesIn(sentence)).toEqual([]);
});

it('tells a rule without the words that lead up to it and without whom it was said to', () => {
  expect(
    rulesIn("I'm sorry, but refunds can only go to the card that paid (the card ending in 44121) or to a voucher."),
  ).toEqual(['Refunds can only go to the card that paid or to a voucher.']);
});
