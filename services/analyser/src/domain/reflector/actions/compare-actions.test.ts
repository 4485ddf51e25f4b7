import type { Action } from './action.js';
import { differenceBetween } from './compare-actions.js';
import { toolCallOf } from './tool-call.js';

function difference(before: Record<string, string>, after: Record<string, string>): string | undefined {
  return differenceBetween(
    toolCallOf('find_shop', JSON.stringify(before)),
    toolCallOf('find_shop', JSON.stringify(after)),
  );
}

it('calls one amount larger than another, and one code only another', () => {
  expect(difference({ radius: '5' }, { radius: '20' })).toBe('the same call with a larger `radius`');
  expect(difference({ zip: '10001' }, { zip: '20002' })).toBe('the same call with another `zip`');
  expect(difference({ frameNumber: '7' }, { frameNumber: '8' })).toBe('the same call with another `frameNumber`');
  expect(difference({ area: '030' }, { area: '089' })).toBe('the same call with another `area`');
});

it('sees that an argument is new, whatever it is called', () => {
  expect(difference({ team: 'red' }, { team: 'red', constructor: '{"id": 7}' })).toBe(
    'the same call with `constructor` given as well',
  );
});

it('tells of two queries the names that changed, and no values', () => {
  const query = (text: string): Action => ({ kind: 'sql', name: 'select', args: {}, text });

  expect(
    differenceBetween(
      query("SELECT town FROM shops WHERE owner = 'Ada'"),
      query("SELECT place FROM shops WHERE owner = 'Marlow'"),
    ),
  ).toBe('`place` instead of `town`');
});
