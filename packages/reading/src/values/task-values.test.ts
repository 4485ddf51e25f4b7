import { occursIn, standsBeside } from './task-values.js';

describe('the values of a task', () => {
  const task =
    'Refund “Ord_55120” of Ada Marlow: $1,249.90 or 12,50 € for two seats on May 20th, 2031 (mia_li_3668, v1.12, JFK-SEA).';

  it.each([
    'ord_55120',
    'Ada Marlow',
    'MARLOW',
    '"marlow"',
    "'Ada'",
    '1249.9',
    '1,249.90',
    '12.5',
    '$12.50',
    '2',
    '2031-05-20',
    '20.05.2031',
    'mia_li_3668',
    'JFK-SEA',
    '',
    '20 May 2031',
  ])('are found: %j', (value) => {
    expect(occursIn(task)(value)).toBe(true);
  });

  it('are found in a script without spaces', () => {
    expect(['17', '#A-9', '客'].map(occursIn('顧客17の注文#A-9を取り消す'))).toEqual([true, true, false]);
    expect(occursIn('顧客170の注文')('17')).toBe(false);
  });

  it.each([
    'Ord',
    '55120',
    'mia',
    'li',
    '3668',
    'Ada Mar',
    '1249',
    '12',
    '3',
    '2031-05-21',
    'Ben',
    '249.90',
    'a',
    'JFK',
    '2030-05-20T10:00',
  ])('are no parts of them, and nothing else: %j', (value) => {
    expect(occursIn(task)(value)).toBe(false);
  });

  it.each([
    ['due on 2031-05-20', 'May 20, 2031'],
    ['due on 20.05.2031', '2031-05-20'],
    ['due on 05/20/2031', '2031-05-20'],
    ['due on 20/05/2031', '2031-05-20'],
    ['fällig am 20. Mai 2031', '2031-05-20'],
    ['el 20 de mayo de 2031', '2031-05-20'],
    ['1.200.000 Stück', '1200000'],
    ['1,200 pieces', '1200'],
    ['minus -3 °C', '-3'],
    ['twelve eggs', '12'],
    ['it’s "a b" here', 'a  b'],
    ['ＡＢＣ１２', 'abc12'],
    ['a fee of 12.50', '12,5 €'],
    ['a fee of 12.50', '12,5 EUR'],
    ['a fee of 1200', '1,200 USD'],
  ])('%j has %j', (text, value) => {
    expect(occursIn(text)(value)).toBe(true);
  });

  it.each([
    ['due on May 20', '2031-05-20'],
    ['due in 2031', '2031-05-20'],
    ['3 eggs', '-3'],
    ['due on 2031-13-20', '2031-12-20'],
    ['1.200 m', '1200'],
    ['write to ada@bath', 'bath'],
    ['look in src/app', 'app'],
  ])('%j does not have %j', (text, value) => {
    expect(occursIn(text)(value)).toBe(false);
  });
});

describe('a number of a task', () => {
  const task = 'Book room 6 for five people at the table of 5, at 7 pm';

  it.each([
    ['6', 'room'],
    ['6', 'roomNumber'],
    ['5', 'people_count'],
    ['5', 'table'],
  ])('%s stands beside a word of %s', (number, name) => {
    expect(standsBeside(task)(number, name)).toBe(true);
  });

  it.each([
    ['5', 'room'],
    ['6', 'people'],
    ['7', 'hour'],
    ['7', '0'],
  ])('%s does not stand beside a word of %s', (number, name) => {
    expect(standsBeside(task)(number, name)).toBe(false);
  });
});
