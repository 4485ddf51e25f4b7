import { deedsOf, readSteps } from '../read-steps.js';
import { type Exchange, interactionOf } from '../test-kit/interactions.js';
import { sourcesOf } from './value-sources.js';

function sourcesIn(query: string, turns: readonly Exchange[]): [string, string[]][] {
  const deeds = deedsOf(readSteps(interactionOf({ query, turns })));
  const call = deeds.at(-1);
  if (!call) throw new Error('no call');
  return sourcesOf(call, deeds.slice(0, -1), query).map(({ look, args }) => [look.action.name, args]);
}

const renew: Exchange = ['renew_loans({"card_id": "card_4471", "loans": [{"copy": "C-20117"}], "weeks": 2})', 'ok'];

it('finds the look-up whose result showed a value, inside lists too', () => {
  const sources = sourcesIn('Keep my novel for longer, please.', [
    ['find_member({"name": "Ada"})', '{"card_id": "card_4471"}'],
    ['get_loans({"card_id": "card_4471"})', '{"card_id": "card_4471", "loans": ["C-20117"]}'],
    renew,
  ]);

  expect(sources).toEqual([
    ['find_member', ['card_id']],
    ['get_loans', ['loans']],
  ]);
});

it('names no source for what the user had said, nor for what no look-up showed', () => {
  const sources = sourcesIn('Renew what is on card_4471, please.', [
    ['find_member({"name": "Ada"})', '{"card_id": "card_4471"}'],
    ['Which copy?', 'The number on it is c-20117.'],
    ['list_branches({})', '{"branches": ["north"]}'],
    renew,
  ]);

  expect(sources).toEqual([]);
});
