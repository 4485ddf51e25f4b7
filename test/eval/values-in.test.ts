import { valuesIn, valuesOfCase } from './values-in.js';

const attempt = {
  labels: { domain: 'd', task: 't' },
  upload: {
    query: 'Cancel my order',
    success: true,
    turns: [
      {
        turn: 1,
        inputs: '',
        decision: 'get_user({"email": "ada@example.org"})',
        result: '{"first_name": "Ada", "plan": "gold"}',
      },
      {
        turn: 2,
        inputs: '',
        decision: "cancel(order_id='W5512')",
        result: '{"street": "7 Mill Lane", "total": 990011}',
      },
    ],
  },
};

it('takes ids, names, contact data and long numbers for the case’s own, and plain words for anybody’s', () => {
  expect([...valuesOfCase(attempt)].sort()).toEqual(['7 Mill Lane', '990011', 'Ada', 'W5512', 'ada@example.org']);
});

it('finds them in an answer as a whole', () => {
  const values = valuesOfCase(attempt);

  expect(valuesIn('Example: cancel(order_id="W5512") at 7 Mill Lane', values)).toEqual(
    ['7 Mill Lane', 'W5512'].reverse(),
  );
  expect(valuesIn('Adamant, XW5512', values)).toEqual([]);
  expect(valuesIn('My order is W5512.', values)).toEqual(['W5512']);
});
