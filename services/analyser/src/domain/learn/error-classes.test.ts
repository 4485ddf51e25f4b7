import { classifyError, errorClasses, errorClassOf, unknownError } from './error-classes.js';
import { wordsIn } from './phrases.js';

describe.each(errorClasses.map((row) => [row.id, row] as const))('%s', (id, { signs, kinds, yes, no }) => {
  it('matches its example, and no earlier row does', () => {
    expect(classifyError(yes, kinds?.[0] ?? 'command')?.id).toBe(id);
  });

  it('does not match its counterexample', () => {
    expect(signs(wordsIn(no))).toBe(false);
  });
});

// One line for each alternative in the table; an alternative that no line needs can go.
it.each([
  ['missing-program', 'sh: 1: hexdump: not found'],
  ['missing-program', 'exec: "jqq": executable file not found in $PATH'],
  ['missing-program', "'ls' is not recognized as an internal or external command"],
  ['missing-module', "Error: Cannot find module 'left-pad'"],
  ['missing-module', 'ImportError: libssl.so.3'],
  ['bad-option', 'tar: invalid option -- q'],
  ['bad-option', 'find: unknown predicate `-nmae'],
  ['bad-option', 'ls: illegal option -- G'],
  ['bad-option', 'Error: no such option: --fsat'],
  ['bad-option', 'Error: unknown flag: --replica'],
  ['bad-option', "TypeError: run() got an unexpected keyword argument 'x'"],
  ['syntax', 'near "FORM": syntax error'],
  ['syntax', 'SyntaxError: Unexpected token }'],
  ['syntax', 'IndentationError: expected a block'],
  ['syntax', "sed: -e expression #1, char 7: unterminated `s' command"],
  ['syntax', 'Unmatched ( in regex'],
  ['syntax', 'bash: $x{y: bad substitution'],
  ['syntax', 'parse error: Invalid numeric literal'],
  ['syntax', 'You have an error in your SQL syntax'],
  ['exists', 'duplicate key value violates'],
  ['exists', 'UNIQUE constraint failed: users.mail'],
  ['exists', 'the room is already booked'],
  ['exists', '409 Conflict'],
  ['wrong-type', 'ls: x: Not a directory'],
  ['missing-file', "ls: cannot access '/nope'"],
  ['missing-file', "FileNotFoundError: 'a.csv'"],
  ['missing-file', 'ENOENT: open'],
  ['unauthenticated', 'authentication failed for user'],
  ['unauthenticated', 'invalid token'],
  ['unauthenticated', 'login required'],
  ['denied', 'Access denied for user'],
  ['denied', 'Operation not permitted'],
  ['denied', 'EACCES: open'],
  ['denied', 'cp: Read-only file system'],
  ['denied', '403 Forbidden'],
  ['rate-limit', 'rate limit reached'],
  ['rate-limit', 'quota exceeded'],
  ['timeout', 'context deadline exceeded'],
  ['timeout', 'connect ETIMEDOUT'],
  ['unreachable', 'connect ECONNREFUSED 127.0.0.1:5432'],
  ['unreachable', 'curl: (6) Could not resolve host'],
  ['unreachable', 'Network is unreachable'],
  ['unreachable', '503 Service Unavailable'],
  ['unreachable', '502 Bad Gateway'],
  ['unknown-action', 'Invalid action: jump'],
  ['unknown-action', 'Tool send_mail not found'],
  ['unknown-action', 'Nothing happens.'],
  ['insufficient', 'not enough seats'],
  ['insufficient', 'item is out of stock'],
  ['insufficient', 'amount exceeds the limit'],
  ['insufficient', 'sold out'],
  ['insufficient', 'the room is unavailable'],
  ['missing-argument', 'rm: missing operand'],
  ['missing-argument', 'body.name: field required'],
  ['missing-argument', 'usage: tool [-h] file'],
  ['bad-value', "ValueError: could not convert 'x'"],
  ['bad-value', 'invalid input for integer'],
  ['bad-value', 'date must be in the future'],
  ['bad-value', 'expected a number but got a string'],
  ['bad-value', 'validation failed'],
  ['bad-value', '400 Bad Request'],
  ['test-failure', 'AssertionError: 3 != 4'],
  ['not-found', '404 page'],
  ['not-found', 'no matching records'],
  ['not-found', 'unknown customer'],
])('%s: %s', (id, line) => {
  expect(classifyError(line, 'command')?.id).toBe(id);
});

it('classifies the same words by the kind of action', () => {
  expect(classifyError('column "n" does not exist', 'sql')?.id).toBe('unknown-column');
  expect(classifyError('relation "n" does not exist', 'sql')?.id).toBe('unknown-table');
  expect(classifyError('column "n" does not exist', 'command')?.id).toBe('not-found');
});

it('has no class for thanks, and advice for an unknown error', () => {
  expect(classifyError('Thank you, all done', 'call')).toBeUndefined();
  expect(errorClassOf('something else')).toBe(unknownError);
  expect(errorClassOf('timeout').id).toBe('timeout');
});
