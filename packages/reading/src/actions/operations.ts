import { isIdInPath } from '../values/ids.js';
import type { Action } from './action.js';
import { lastWordsOf, operationIn, wordsOf } from './call-names.js';
import { graphqlIn } from './graphql.js';

/** What a call or request does, in words: `refund` of `orders.refund`, `reminders` of `POST /invoices/7/reminders`. */
export function operationWords({ kind, verb, object = '', args = {} }: Action): string[] {
  const [field] = graphqlIn(args)?.fields ?? [];
  if (kind !== 'http' || field !== undefined) return lastWordsOf(field ?? operationIn(args) ?? verb);
  const [path = ''] = object.split(/[?#]/, 1);
  return wordsOf(path.split('/').findLast((part) => /\p{L}/u.test(part) && !isIdInPath(part)) ?? '');
}
