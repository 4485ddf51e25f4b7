import { peopleIn } from './named-people.js';

it.each([
  ['Hello, my name is Ada Marlow and I lost a card.', ['Ada', 'Marlow']],
  ["I'm Ada Marlow, the order is late.", ['Ada', 'Marlow']],
  ['Write to Mr. Birch and to Dr. Lena Ahorn about it.', ['Birch', 'Lena', 'Ahorn']],
  ['Mein Name ist Jonas Ahorn, ich suche eine Rechnung.', ['Jonas', 'Ahorn']],
  ['Je m’appelle Odile et je cherche une facture.', ['Odile']],
])('finds who is meant in %j', (text, names) => {
  expect([...peopleIn(text)].sort()).toEqual([...names].sort());
});

it.each(["I'm Dutch and this is Important.", 'Print the name of the file.', 'I am not sure. This is it.'])(
  'finds nobody in %j',
  (text) => {
    expect(peopleIn(text).size).toBe(0);
  },
);
