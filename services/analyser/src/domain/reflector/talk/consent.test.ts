import { deedsOf, readSteps, type Step } from '../read-steps.js';
import { type Exchange, interactionOf } from '../test-kit/interactions.js';
import { agreedChanges, isConsent, isGoAhead } from './consent.js';

function deeds(...turns: Exchange[]): Step[] {
  return deedsOf(readSteps(interactionOf({ query: 'My bicycle needs a new chain.', turns })));
}

function said(question: string, answer: string): Step {
  const [step] = deeds([question, answer]);
  if (!step) throw new Error('no step');
  return step;
}

it.each([
  ['I would fit the steel chain on Friday. Does this look right?', 'Yes, that looks right.'],
  ['Please type “yes” to have the chain fitted on Friday, or “no” to leave it.', 'yes'],
  ['Do you confirm the repair?', 'Confirm.'],
  ['To be safe: are you sure that you want the old chain thrown away?', "Yes, I'm sure."],
  ['It will be ready on Friday. Is everything correct?', 'You got it! That is the one.'],
  ['Once you confirm, I will order the part.', 'Sounds perfect.'],
  ['Shall I order the part?', 'Fine.'],
  ['Which colour, and would you like me to go ahead?', 'The black one. Go ahead.'],
  ['Would you like me to do that?', 'Ugh, fine, just do it.'],
  ['The chain costs 20 francs. Do I have your go-ahead?', 'You do. Go ahead please.'],
  ['Will Friday do, and is the steel one fine with you?', 'Yep.'],
  ['Soll ich die Kette am Freitag wechseln?', 'Ja, gern.'],
  ['Dois-je changer la chaîne vendredi ?', 'Oui.'],
  ['金曜日にチェーンを交換してよろしいですか？', 'はい、お願いします。'],
])('takes the answer to “%s” for a yes: “%s”', (question, answer) => {
  expect(isConsent(said(question, answer))).toBe(true);
});

it.each([
  ['Shall I order the part?', 'No, not yet.'],
  ['Shall I order the part?', 'Okay, but what does it cost?'],
  ['Shall I order the part?', 'Okay, I guess there is none at that price.'],
  ['Shall I order the part?', 'Yes. Actually, never mind.'],
  ['Could you confirm your phone number?', 'Yes, my phone number is 555 0101.'],
  ['Which chain would you take, steel or nickel?', 'Steel.'],
  ['The workshop closes at six.', 'Yes.'],
  ['Is there anything else?', 'Yes, a new bell.'],
  ['Do you have the receipt at hand?', 'Yes, it says 4471.'],
  ['Soll ich die Kette am Freitag wechseln?', 'Nein, lieber am Montag.'],
  ['Die Kette ist gewechselt.', 'Ja.'],
])('does not take the answer to “%s” for a yes: “%s”', (question, answer) => {
  expect(isConsent(said(question, answer))).toBe(false);
});

it('tells a yes to doing something from a yes to being shown something or sent to somebody else', () => {
  expect(isGoAhead(said('Shall I order the part?', 'Yes.'))).toBe(true);
  expect(isGoAhead(said('Would you like me to show the chains that we have?', 'Yes.'))).toBe(false);
  expect(isGoAhead(said('Would you like me to connect you with a human mechanic in the team?', 'Yes.'))).toBe(false);
});

it('lets a yes cover the changes up to the next word, and a question for a detail in between', () => {
  const run = deeds(
    ['Shall I order chain and brakes?', 'Yes.'],
    ['And which colour?', 'Black.'],
    ['order_part({"part": "chain"})', 'ok'],
    ['order_part({"part": "brakes"})', 'ok'],
    ['Both are ordered.', 'And a bell!'],
    ['order_part({"part": "bell"})', 'ok'],
  );

  expect([...agreedChanges(run)].map(({ action }) => action.args['part'])).toEqual(['chain', 'brakes']);
});

it('does not let a yes to being shown something cover a later change', () => {
  const run = deeds(
    ['Would you like me to show the chains that we have?', 'Yes.'],
    ['There is one of steel.', 'I see.'],
    ['order_part({"part": "chain"})', 'ok'],
  );

  expect(agreedChanges(run).size).toBe(0);
});
