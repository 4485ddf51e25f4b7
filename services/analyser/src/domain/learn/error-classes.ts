import type { ActionKind } from '@whetstone/reading';

import { type Phrases, phrases, wordsIn } from './phrases.js';

/** One kind of mistake: how it is recognised, and what a person who knows it tells the next one. */
export interface ErrorClass {
  id: string;
  signs: Phrases;
  /** The kinds of action that make it; absent: all. The same words mean one thing to a database and another to awk. */
  madeBy?: readonly ActionKind[];
  /** A line that it must match, and one that it must not. */
  yes: string;
  no: string;
  /** What went wrong, to end "It failed because …". */
  because: string;
  advice: string;
}

const queries: readonly ActionKind[] = ['sql', 'call', 'code'];

/** In the order of how much they tell; the first that matches names the error. */
export const errorClasses: readonly ErrorClass[] = [
  {
    id: 'missing-program',
    signs: phrases('command not found, : not found $, executable file not found, is not recognized as'),
    yes: 'bash: netstat: command not found',
    no: 'order not found in the list',
    because: 'a program is not installed',
    advice: 'Check with `command -v` first, or use a program that is there.',
  },
  {
    id: 'missing-module',
    signs: phrases('no module named, cannot find module, modulenotfounderror, importerror'),
    yes: "ModuleNotFoundError: No module named 'yaml'",
    no: 'the module was named in the report',
    because: 'a package is missing',
    advice: 'Use what the standard library offers, or ask for the package.',
  },
  {
    id: 'bad-option',
    signs: phrases(
      'unrecognized|unrecognised|invalid|unknown|illegal|such option*|flag|predicate, unexpected keyword argument',
    ),
    yes: "cp: unrecognized option '--exclude'",
    no: 'choose another option',
    because: 'an option does not exist',
    advice: 'Look at `--help`, or do it with another program.',
  },
  {
    id: 'unknown-column',
    madeBy: queries,
    signs: phrases('unknown|such|invalid|ambiguous column, column ~6 not exist|found, column ~6 is ambiguous'),
    yes: 'ERROR: column "n" does not exist',
    no: 'the column was added',
    because: 'a column has another name or belongs to another table',
    advice: 'Look at the columns of the tables first, and qualify them with the table.',
  },
  {
    id: 'unknown-table',
    madeBy: queries,
    signs: phrases('no such table, table|relation ~6 not|doesnt exist, unknown table|database, invalid object name'),
    yes: 'no such table: invoices',
    no: 'the table has 12 rows',
    because: 'a table has another name',
    advice: 'List the tables first.',
  },
  {
    id: 'grouping',
    madeBy: queries,
    signs: phrases('group by, misuse of aggregate, aggregate functions are not allowed'),
    yes: 'column "o.id" must appear in the GROUP BY clause',
    no: 'the group was created',
    because: 'a selected column is neither grouped nor aggregated',
    advice: 'Group or aggregate every selected column; put conditions on aggregates into `HAVING`.',
  },
  {
    id: 'syntax',
    signs: phrases(
      'syntax error, syntaxerror, unexpected eof|end|token|indent, unterminated, unmatched, looking for matching, bad substitution, parse error, invalid syntax, indentationerror, sql syntax',
    ),
    yes: 'bash: -c: line 1: unexpected EOF while looking for matching `"\'',
    no: 'the sentence ended',
    because: 'it does not parse',
    advice: 'Make it smaller, use one kind of quotes, and close every block.',
  },
  {
    id: 'exists',
    signs: phrases(
      'already exists|booked|reserved|taken|in+use, file|name|key|entry exists, duplicate entry|key, unique constraint, conflict|conflicts, 409',
    ),
    yes: 'mkdir: cannot create directory ‘out’: File exists',
    no: 'the record exists since May',
    because: 'something with that key, name or time is there already',
    advice: 'Look what is there first, then update it or take another.',
  },
  {
    id: 'wrong-type',
    signs: phrases('is a directory, not a directory|file|regular+file'),
    yes: 'cat: src: Is a directory',
    no: 'the directory is empty',
    because: 'a folder stands where a file is meant, or the reverse',
    advice: 'Select by type first.',
  },
  {
    id: 'missing-file',
    signs: phrases('no such file, cannot access|open|stat, filenotfounderror, enoent, path ~6 not found|exist'),
    yes: 'wc: *.py: No such file or directory',
    no: 'the file was written',
    because: 'a path does not exist',
    advice: 'List what is there before naming a path.',
  },
  {
    id: 'unauthenticated',
    signs: phrases(
      'unauthori*, authenticat*, unauthenticated, invalid|expired|missing token|credentials|api+key, not logged in, login required, 401',
    ),
    yes: '401 Unauthorized',
    no: 'the author is known',
    because: 'it was not signed in',
    advice: 'Sign in, or send valid credentials, before this call.',
  },
  {
    id: 'denied',
    signs: phrases('permission|access denied, not permitted, eacces, read only file system, forbidden, 403'),
    yes: "touch: cannot touch 'x': Permission denied",
    no: 'the permit was issued',
    because: 'the right to do this is missing',
    advice: 'Use an account or a place that has the right instead of trying again.',
  },
  {
    id: 'rate-limit',
    signs: phrases('too many requests, rate limit*, ratelimit*, quota, 429'),
    yes: '429 Too Many Requests',
    no: 'many requests were answered',
    because: 'too much was asked at once',
    advice: 'Wait as long as the answer says, and send fewer requests at once.',
  },
  {
    id: 'timeout',
    signs: phrases('timed|time out, timeout*, deadline exceeded, etimedout, 408|504'),
    yes: 'Error: request timed out after 30s',
    no: 'the time is out there',
    because: 'it took too long',
    advice: 'Do less at once, or wait until the other side is ready.',
  },
  {
    id: 'unreachable',
    signs: phrases(
      'connection refused|reset, econnrefused, could not resolve, unreachable, name or service not known, service unavailable, bad gateway, 502|503',
    ),
    yes: 'curl: (7) Failed to connect to localhost port 80: Connection refused',
    no: 'the connection is fine',
    because: 'the other side is not up',
    advice: 'Check that it runs, and which address it listens on.',
  },
  {
    id: 'missing-element',
    madeBy: ['call'],
    signs: phrases(
      'no|unknown|invalid|such|find element, element ~6 not|no+longer, not clickable|visible|interactable',
    ),
    yes: 'No element with id 17 on this page',
    no: 'the element was clicked',
    because: 'the element is not on the page any more',
    advice: 'Read the page again, and take the id from the newest observation.',
  },
  {
    id: 'unknown-action',
    signs: phrases(
      'invalid|unknown|such|valid|known action|tool|function|verb|command, tool|function|action ~6 not found|exist, action ~6 not be parsed, nothing happens',
    ),
    yes: 'Unknown tool: refund_all',
    no: 'the action was logged',
    because: 'the environment knows no such action there',
    advice: 'Use only actions that exist, in exactly the form that the environment asks for.',
  },
  {
    id: 'alternatives',
    madeBy: ['call', 'http'],
    signs: phrases(
      'did you mean, must be one of, available|valid|allowed|possible|accepted options|actions|tools|values|names|choices, choose from|one+of',
    ),
    yes: 'size must be one of S, M, L',
    no: 'one of the orders is late',
    because: 'only certain values are accepted',
    advice: 'Take one of the values that the answer lists, word for word.',
  },
  {
    id: 'insufficient',
    signs: phrases(
      'not enough, insufficient*, out of stock, exceeds, sold out, not available, unavailable, limit reached, 402',
    ),
    yes: '{"error": "insufficient balance"}',
    no: 'enough is left',
    because: 'balance, stock or room does not cover it',
    advice: 'Look up what is left before this call, and take only that.',
  },
  {
    id: 'missing-argument',
    signs: phrases(
      'missing ~5 operand|argument*|parameter*|field*|propert*, field|parameter|argument|property|is|are required, too few arguments, requires an argument, ^ usage :',
    ),
    yes: 'TypeError: f() missing 1 required positional argument',
    no: 'the argument was long',
    because: 'something that the call requires was not given',
    advice: 'Give everything that its usage or schema asks for.',
  },
  {
    id: 'bad-value',
    signs: phrases(
      'valueerror, typeerror, invalid ~1 argument|value|input|format|date|literal|type|number, must be a|an|in|at|either|the+same, should|must match|equal, expected ~6 got|but|received, validation, unprocessable, bad request, cannot parse|convert, 400|422',
    ),
    yes: '422 Unprocessable Entity',
    no: 'the value is 7',
    because: 'a value has the wrong type or form',
    advice: 'Check type and form of the values against what the call asks for.',
  },
  {
    id: 'condition',
    madeBy: ['call', 'http'],
    signs: phrases(
      'cannot|cant|only|must|should ~8 if|unless|when|while|until|once|after|before|because|be, status is|must, not eligible|allowed|possible|supported',
    ),
    yes: 'order can only be cancelled while it is pending',
    no: 'the order is pending',
    because: 'a condition for the call was not met',
    advice: 'Look the condition up before this call, and take the call that fits.',
  },
  {
    id: 'lookup',
    madeBy: ['code'],
    signs: phrases(
      'keyerror, attributeerror, nameerror, indexerror, is not defined|a+function, has no attribute, out of range, cannot read propert*',
    ),
    yes: "KeyError: 'total'",
    no: 'the key was found',
    because: 'a name or key does not exist',
    advice: 'Print the object or its keys first.',
  },
  {
    id: 'test-failure',
    signs: phrases(
      'assertionerror, assertion failed, # failed, # test|tests failed, test|tests failed, tests did not pass',
    ),
    yes: '3 failed, 12 passed in 0.4s',
    no: '0 failed, 12 passed',
    because: 'a test failed',
    advice: 'Read which expectation failed, change the code for that case, and run the same test again.',
  },
  {
    id: 'not-found',
    signs: phrases('not found, no result*|match*|record*|such|user*|order*|item*, unknown, not exist, 404'),
    yes: '{"error": "user not found"}',
    no: 'found it',
    because: 'an id or name is not known there',
    advice: 'Look it up with a list or a search instead of guessing it.',
  },
];

/** Where no row fits: something went wrong, and nobody knows more. */
export const unknownError: Pick<ErrorClass, 'id' | 'because' | 'advice'> = {
  id: 'unknown',
  because: 'the environment refused it',
  advice: 'Find out which condition is not met before trying the same again.',
};

export function classifyError(line: string, kind: ActionKind): ErrorClass | undefined {
  const words = wordsIn(line);
  return errorClasses.find(({ signs, madeBy }) => (madeBy?.includes(kind) ?? true) && signs(words));
}

/** What a stored lesson's error is about; old rows and models may name any. */
export function errorClassOf(id: string | undefined): Pick<ErrorClass, 'id' | 'because' | 'advice'> {
  return errorClasses.find((row) => row.id === id) ?? unknownError;
}
