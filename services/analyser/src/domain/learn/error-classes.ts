import type { ActionKind } from '@whetstone/reading';

import { anyOf, type Phrases, wordsIn } from './phrases.js';

/** One kind of error: how to recognise it, and what to do about it. */
export interface ErrorClass {
  id: string;
  signs: Phrases;
  /** Completes "It failed because …". */
  because: string;
  advice: string;
  /** An error line that must match, and a line that must not. */
  yes: string;
  no: string;
  /**
   * Kinds of action that can cause it; all if absent. The same words mean different things to a database and to awk.
   */
  kinds?: readonly ActionKind[] | undefined;
}

function row(
  id: string,
  signs: string,
  because: string,
  advice: string,
  yes: string,
  no: string,
  kinds?: readonly ActionKind[],
): ErrorClass {
  return { id, signs: anyOf(signs.split(', ')), because, advice, yes, no, kinds };
}

const queries: readonly ActionKind[] = ['sql', 'call', 'code'];

/** Most specific first; the first match wins. */
export const errorClasses: readonly ErrorClass[] = [
  row(
    'missing-program',
    'command not found, : not found $, executable file not found, is not recognized as',
    'a program is not installed',
    'Check with `command -v` first, or use an installed program.',
    'bash: netstat: command not found',
    'order not found in the list',
  ),
  row(
    'missing-module',
    'no module named, cannot find module, modulenotfounderror, importerror',
    'a package is not installed',
    'Use the standard library, or ask for the package to be installed.',
    "ModuleNotFoundError: No module named 'yaml'",
    'the module was named in the report',
  ),
  row(
    'bad-option',
    'unrecognized|unrecognised|invalid|unknown|illegal|such option*|flag|predicate, unexpected keyword argument',
    'an option is unknown',
    'Check `--help`, or use another program.',
    "cp: unrecognized option '--exclude'",
    'choose another option',
  ),
  row(
    'unknown-column',
    'unknown|such|invalid|ambiguous column, column ~6 not exist|found, column ~6 is ambiguous',
    'a column is unknown or ambiguous',
    'Check the table schemas first, and qualify columns with their table.',
    'ERROR: column "n" does not exist',
    'the column was added',
    queries,
  ),
  row(
    'unknown-table',
    'no such table, table|relation ~6 not|doesnt exist, unknown table|database, invalid object name',
    'a table does not exist',
    'List the tables first.',
    'no such table: invoices',
    'the table has 12 rows',
    queries,
  ),
  row(
    'grouping',
    'group by, misuse of aggregate, aggregate functions are not allowed',
    'a selected column is neither grouped nor aggregated',
    'Group or aggregate every selected column; filter on aggregates with `HAVING`.',
    'column "o.id" must appear in the GROUP BY clause',
    'the group was created',
    queries,
  ),
  row(
    'syntax',
    'syntax error, syntaxerror, unexpected eof|end|token|indent, unterminated, unmatched, looking for matching, bad substitution, parse error, invalid syntax, indentationerror, sql syntax',
    'it has a syntax error',
    'Simplify it, quote consistently and close every block.',
    'bash: -c: line 1: unexpected EOF while looking for matching `"\'',
    'the sentence ended',
  ),
  row(
    'exists',
    'already exists|booked|reserved|taken|in+use, file|name|key|entry exists, duplicate entry|key, unique constraint, conflict|conflicts, 409',
    'that key, name or time slot is already taken',
    'Check what exists first, then update it or choose another.',
    'mkdir: cannot create directory ‘out’: File exists',
    'the record exists since May',
  ),
  row(
    'wrong-type',
    'is a directory, not a directory|file|regular+file',
    'a path is a directory instead of a file, or the reverse',
    'Check the file type first.',
    'cat: src: Is a directory',
    'the directory is empty',
  ),
  row(
    'missing-file',
    'no such file, cannot access|open|stat, filenotfounderror, enoent, path ~6 not found|exist',
    'a path does not exist',
    'List the directory before naming a path.',
    'wc: *.py: No such file or directory',
    'the file was written',
  ),
  row(
    'unauthenticated',
    'unauthori*, authenticat*, unauthenticated, invalid|expired|missing token|credentials|api+key, not logged in, login required, 401',
    'the caller was not signed in',
    'Sign in or send valid credentials first.',
    '401 Unauthorized',
    'the author is known',
  ),
  row(
    'denied',
    'permission|access denied, not permitted, eacces, read only file system, forbidden, 403',
    'permission was denied',
    'Use credentials with access; retrying will not help.',
    "touch: cannot touch 'x': Permission denied",
    'the permit was issued',
  ),
  row(
    'rate-limit',
    'too many requests, rate limit*, ratelimit*, quota, 429',
    'the rate limit was exceeded',
    'Wait as long as the response says, and send fewer requests at once.',
    '429 Too Many Requests',
    'many requests were answered',
  ),
  row(
    'timeout',
    'timed|time out, timeout*, deadline exceeded, etimedout, 408|504',
    'it timed out',
    'Do less per call, or wait until the service is ready.',
    'Error: request timed out after 30s',
    'the time is out there',
  ),
  row(
    'unreachable',
    'connection refused|reset, econnrefused, could not resolve, unreachable, name or service not known, service unavailable, bad gateway, 502|503',
    'the service was unreachable',
    'Check that it is running and which address it listens on.',
    'curl: (7) Failed to connect to localhost port 80: Connection refused',
    'the connection is fine',
  ),
  row(
    'missing-element',
    'no|unknown|invalid|such|find element, element ~6 not|no+longer, not clickable|visible|interactable',
    'the element is no longer on the page',
    'Read the page again, and use an id from the latest observation.',
    'No element with id 17 on this page',
    'the element was clicked',
    ['call'],
  ),
  row(
    'unknown-action',
    'invalid|unknown|such|valid|known action|tool|function|verb|command, tool|function|action ~6 not found|exist, action ~6 not be parsed, nothing happens',
    'the environment has no such action',
    'Use only the actions it lists, in exactly the form it asks for.',
    'Unknown tool: refund_all',
    'the action was logged',
  ),
  row(
    'alternatives',
    'did you mean, must be one of, available|valid|allowed|possible|accepted options|actions|tools|values|names|choices, choose from|one+of',
    'only certain values are accepted',
    'Use one of the listed values, word for word.',
    'size must be one of S, M, L',
    'one of the orders is late',
    ['call', 'http'],
  ),
  row(
    'insufficient',
    'not enough, insufficient*, out of stock, exceeds, sold out, not available, unavailable, limit reached, 402',
    'the balance, stock or capacity was too low',
    'Check what is left first, and stay within it.',
    '{"error": "insufficient balance"}',
    'enough is left',
  ),
  row(
    'missing-argument',
    'missing ~5 operand|argument*|parameter*|field*|propert*, field|parameter|argument|property|is|are required, too few arguments, requires an argument, ^ usage :',
    'a required argument was missing',
    'Pass everything that the usage text or schema requires.',
    'TypeError: f() missing 1 required positional argument',
    'the argument was long',
  ),
  row(
    'bad-value',
    'valueerror, typeerror, invalid ~1 argument|value|input|format|date|literal|type|number, must be a|an|in|at|either|the+same, should|must match|equal, expected ~6 got|but|received, validation, unprocessable, bad request, cannot parse|convert, 400|422',
    'a value had the wrong type or format',
    'Check types and formats against what the call expects.',
    '422 Unprocessable Entity',
    'the value is 7',
  ),
  row(
    'condition',
    'cannot|cant|only|must|should ~8 if|unless|when|while|until|once|after|before|because|be, status is|must, not eligible|allowed|possible|supported',
    'a precondition was not met',
    'Check the precondition first, and choose the call that fits.',
    'order can only be cancelled while it is pending',
    'the order is pending',
    ['call', 'http'],
  ),
  row(
    'lookup',
    'keyerror, attributeerror, nameerror, indexerror, is not defined|a+function, has no attribute, out of range, cannot read propert*',
    'a name or key does not exist',
    'Print the object or its keys first.',
    "KeyError: 'total'",
    'the key was found',
    ['code'],
  ),
  row(
    'test-failure',
    'assertionerror, assertion failed, # failed, # test|tests failed, test|tests failed, tests did not pass',
    'a test failed',
    'Read which assertion failed, fix that case and rerun the same test.',
    '3 failed, 12 passed in 0.4s',
    '0 failed, 12 passed',
  ),
  row(
    'not-found',
    'not found, no result*|match*|record*|such|user*|order*|item*, unknown, not exist, 404',
    'an id or name was not found',
    'Look it up with a list or search call instead of guessing.',
    '{"error": "user not found"}',
    'found it',
  ),
];

/** If no row matches. */
export const unknownError: Pick<ErrorClass, 'id' | 'because' | 'advice'> = {
  id: 'unknown',
  because: 'the environment rejected it',
  advice: 'Find out which condition is not met before retrying.',
};

export function classifyError(line: string, kind: ActionKind): ErrorClass | undefined {
  const words = wordsIn(line);
  return errorClasses.find(({ signs, kinds }) => (kinds?.includes(kind) ?? true) && signs(words));
}

/** The class of a stored error id; old rows and models may contain unknown ids. */
export function errorClassOf(id: string | undefined): Pick<ErrorClass, 'id' | 'because' | 'advice'> {
  return errorClasses.find((row) => row.id === id) ?? unknownError;
}
