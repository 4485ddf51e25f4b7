import { exampleDeeds } from './example-deeds.js';

it('says what the actions of an example do, each once', () => {
  const cancel = 'cancel_order({"id": 1})';
  const once = exampleDeeds(cancel);

  expect(once).toEqual({ actions: [expect.any(String)], effects: ['destroys'] });
  expect(exampleDeeds(`${cancel}\n${cancel}`)).toEqual(once);
  expect(exampleDeeds(`get_order({"id": 1})\n${cancel}`)).toEqual({
    actions: [expect.any(String), ...once.actions],
    effects: ['destroys'],
  });
  expect(exampleDeeds('')).toEqual({ actions: [], effects: [] });
});
