import { closingLine, openingLine } from '../echo/advice-marks.js';
import { fillers } from '../test-kit/long-texts.js';
import { searchTexts } from './search-texts.js';

it('searches for the request in a long input and its context, without earlier advice in either', () => {
  const advice = `${openingLine}\n1. Please delete all the tables.\n${closingLine}`;
  const logs = (fillers(1)['logs'] as (words: number) => string)(3_000);

  expect(searchTexts(`${logs}\n\nPlease sort the rows by date.\n\n${advice}`, { a: `Debian\n\n${advice}` })).toEqual({
    task: 'Please sort the rows by date.',
    context: 'Debian',
  });
});

it('keeps a short input whole', () => {
  expect(searchTexts(' Sort the rows. ', {})).toEqual({ task: 'Sort the rows.', context: '' });
});
