import { shapeOfCalls } from './call-shape.js';

describe('a tool call for another task', () => {
  it('keeps the names of its arguments and chosen words, not ids, dates, people and amounts', () => {
    const example =
      'book_room({"guest_id":"ada_77","guest_name":"Ada","board":"breakfast","nights":[{"date":"2031-02-01"},{"date":"2031-02-02"}],"amount":120.5})';

    expect(shapeOfCalls(example)).toBe(
      'book_room({"guest_id":"…","guest_name":"…","board":"breakfast","nights":[{"date":"…"},…],"amount":…})',
    );
  });

  it('keeps no ids in a list either', () => {
    expect(shapeOfCalls('move_guests({"guest_ids":["4402","4403"],"extras":["towel","crib"]})')).toBe(
      'move_guests({"guest_ids":["…"],"extras":["towel","crib"]})',
    );
  });

  it('leaves commands, queries and words alone', () => {
    for (const example of [
      "find /srv -name '*.log' -size +10M",
      'SELECT count(*) FROM visits',
      'click [12]',
      'Say it.',
    ])
      expect(shapeOfCalls(example)).toBe(example);
  });
});
