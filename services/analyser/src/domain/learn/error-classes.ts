import type { ActionKind } from '@whetstone/reading';

/** One kind of mistake: how it is recognised, and what a person who knows it tells the next one. */
export interface ErrorClass {
  id: string;
  /** Sees one bounded line. */
  pattern: RegExp;
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
    pattern: /command not found|: not found$|executable file not found|is not recognized as/i,
    yes: 'bash: netstat: command not found',
    no: 'order not found in the list',
    because: 'a program is not installed',
    advice: 'Check with `command -v` first, or use a program that is there.',
  },
  {
    id: 'missing-module',
    pattern: /no module named|cannot find module|ModuleNotFoundError|ImportError/i,
    yes: "ModuleNotFoundError: No module named 'yaml'",
    no: 'the module was named in the report',
    because: 'a package is missing',
    advice: 'Use what the standard library offers, or ask for the package.',
  },
  {
    id: 'bad-option',
    pattern:
      /(?:unrecogni[sz]ed|invalid|unknown|illegal|no such) (?:option|flag|predicate|switch)|unexpected keyword argument/i,
    yes: "cp: unrecognized option '--exclude'",
    no: 'choose another option',
    because: 'an option does not exist',
    advice: 'Look at `--help`, or do it with another program.',
  },
  {
    id: 'unknown-column',
    madeBy: queries,
    pattern: /(?:unknown|no such|invalid|ambiguous) column|column .{1,80}(?:does not exist|not found|is ambiguous)/i,
    yes: 'ERROR: column "n" does not exist',
    no: 'the column was added',
    because: 'a column has another name or belongs to another table',
    advice: 'Look at the columns of the tables first, and qualify them with the table.',
  },
  {
    id: 'unknown-table',
    madeBy: queries,
    pattern:
      /no such table|(?:table|relation) .{1,80}(?:doesn'?t|does not) exist|unknown (?:table|database)|invalid object name/i,
    yes: 'no such table: invoices',
    no: 'the table has 12 rows',
    because: 'a table has another name',
    advice: 'List the tables first.',
  },
  {
    id: 'grouping',
    madeBy: queries,
    pattern: /\bgroup by\b|misuse of aggregate|aggregate functions? (?:are|is) not allowed/i,
    yes: 'column "o.id" must appear in the GROUP BY clause',
    no: 'the group was created',
    because: 'a selected column is neither grouped nor aggregated',
    advice: 'Group or aggregate every selected column; put conditions on aggregates into `HAVING`.',
  },
  {
    id: 'syntax',
    pattern:
      /syntax ?error|unexpected (?:eof|end of|token|indent)|unterminated|unmatched|looking for matching|bad substitution|parse error|invalid syntax|IndentationError|sql syntax/i,
    yes: 'bash: -c: line 1: unexpected EOF while looking for matching `"\'',
    no: 'the sentence ended',
    because: 'it does not parse',
    advice: 'Make it smaller, use one kind of quotes, and close every block.',
  },
  {
    id: 'exists',
    pattern:
      /already (?:exists|booked|reserved|taken|in use)|(?:file|name|key|entry) exists|duplicate (?:entry|key)|unique constraint|\bconflicts?\b|double.?book|\b409\b/i,
    yes: 'mkdir: cannot create directory ‘out’: File exists',
    no: 'the record exists since May',
    because: 'something with that key, name or time is there already',
    advice: 'Look what is there first, then update it or take another.',
  },
  {
    id: 'wrong-type',
    pattern: /is a directory|not a (?:directory|regular file|file)\b/i,
    yes: 'cat: src: Is a directory',
    no: 'the directory is empty',
    because: 'a folder stands where a file is meant, or the reverse',
    advice: 'Select by type first.',
  },
  {
    id: 'missing-file',
    pattern: /no such file|cannot (?:access|open|stat)|FileNotFoundError|ENOENT|path .{0,80}not (?:found|exist)/i,
    yes: 'wc: *.py: No such file or directory',
    no: 'the file was written',
    because: 'a path does not exist',
    advice: 'List what is there before naming a path.',
  },
  {
    id: 'unauthenticated',
    pattern:
      /unauthori[sz]ed|authenticat|(?:invalid|expired|missing) (?:token|credentials|api.?key)|not logged in|login required|\b401\b/i,
    yes: '401 Unauthorized',
    no: 'the author is known',
    because: 'it was not signed in',
    advice: 'Sign in, or send valid credentials, before this call.',
  },
  {
    id: 'denied',
    pattern: /permission denied|access denied|not permitted|EACCES|read-only file system|forbidden|\b403\b/i,
    yes: "touch: cannot touch 'x': Permission denied",
    no: 'the permit was issued',
    because: 'the right to do this is missing',
    advice: 'Use an account or a place that has the right instead of trying again.',
  },
  {
    id: 'rate-limit',
    pattern: /too many requests|rate.?limit|quota|\b429\b/i,
    yes: '429 Too Many Requests',
    no: 'many requests were answered',
    because: 'too much was asked at once',
    advice: 'Wait as long as the answer says, and send fewer requests at once.',
  },
  {
    id: 'timeout',
    pattern: /timed? ?out|deadline exceeded|ETIMEDOUT|\b(?:408|504)\b/i,
    yes: 'Error: request timed out after 30s',
    no: 'the time is out there',
    because: 'it took too long',
    advice: 'Do less at once, or wait until the other side is ready.',
  },
  {
    id: 'unreachable',
    pattern:
      /connection (?:refused|reset)|ECONNREFUSED|could not resolve|unreachable|name or service not known|service unavailable|bad gateway|\b50[23]\b/i,
    yes: 'curl: (7) Failed to connect to localhost port 80: Connection refused',
    no: 'the connection is fine',
    because: 'the other side is not up',
    advice: 'Check that it runs, and which address it listens on.',
  },
  {
    id: 'missing-element',
    madeBy: ['call'],
    pattern:
      /(?:no|unknown|invalid|stale|such|find) element|element .{0,60}(?:not|no longer)|not (?:clickable|visible|interactable)|no node found/i,
    yes: 'No element with id 17 on this page',
    no: 'the element was clicked',
    because: 'the element is not on the page any more',
    advice: 'Read the page again, and take the id from the newest observation.',
  },
  {
    id: 'unknown-action',
    pattern:
      /(?:invalid|unknown|no such|not a valid|no known) (?:action|tool|function|verb|command)|(?:tool|function|action) .{1,60}(?:not found|does not exist|could not be parsed)|nothing happens/i,
    yes: 'Unknown tool: refund_all',
    no: 'the action was logged',
    because: 'the environment knows no such action there',
    advice: 'Use only actions that exist, in exactly the form that the environment asks for.',
  },
  {
    id: 'alternatives',
    madeBy: ['call', 'http'],
    pattern:
      /did you mean|must be one of|(?:available|valid|allowed|possible|accepted) (?:options|actions|tools|values|names|choices)|similar: ?\[|choose (?:from|one of)/i,
    yes: 'size must be one of S, M, L',
    no: 'one of the orders is late',
    because: 'only certain values are accepted',
    advice: 'Take one of the values that the answer lists, word for word.',
  },
  {
    id: 'insufficient',
    pattern: /not enough|insufficient|out of stock|exceeds|sold out|(?:not|un)available|limit reached|\b402\b/i,
    yes: '{"error": "insufficient balance"}',
    no: 'enough is left',
    because: 'balance, stock or room does not cover it',
    advice: 'Look up what is left before this call, and take only that.',
  },
  {
    id: 'missing-argument',
    pattern:
      /missing .{0,30}(?:operand|argument|parameter|field|property)|(?:field|parameter|argument|property)s? (?:is |are )?required|is required|too few arguments|requires an argument|^usage:/i,
    yes: 'TypeError: f() missing 1 required positional argument',
    no: 'the argument was long',
    because: 'something that the call requires was not given',
    advice: 'Give everything that its usage or schema asks for.',
  },
  {
    id: 'bad-value',
    pattern:
      /ValueError|TypeError|invalid (?:\w+ )?(?:argument|value|input|format|date|literal|type|number)|must be (?:an?|in|at|either|the same)\b|(?:should|must) (?:match|equal)|expected .{1,60}(?:got|but|received)|validation|unprocessable|bad request|cannot (?:parse|convert)|\b4(?:00|22)\b/i,
    yes: '422 Unprocessable Entity',
    no: 'the value is 7',
    because: 'a value has the wrong type or form',
    advice: 'Check type and form of the values against what the call asks for.',
  },
  {
    id: 'condition',
    madeBy: ['call', 'http'],
    pattern:
      /\b(?:cannot|can'?t|can only|may only|must|should|only) .{0,60}\b(?:if|unless|when|while|until|once|after|before|because|be)\b|\bstatus (?:is|must)|not (?:eligible|allowed|possible|supported)/i,
    yes: 'order can only be cancelled while it is pending',
    no: 'the order is pending',
    because: 'a condition for the call was not met',
    advice: 'Look the condition up before this call, and take the call that fits.',
  },
  {
    id: 'lookup',
    madeBy: ['code'],
    pattern:
      /KeyError|AttributeError|NameError|IndexError|is not (?:defined|a function)|has no attribute|out of range|cannot read propert/i,
    yes: "KeyError: 'total'",
    no: 'the key was found',
    because: 'a name or key does not exist',
    advice: 'Print the object or its keys first.',
  },
  {
    id: 'test-failure',
    pattern: /AssertionError|assertion failed|\b[1-9]\d* (?:tests? )?failed|tests? (?:failed|did not pass)/i,
    yes: '3 failed, 12 passed in 0.4s',
    no: '0 failed, 12 passed',
    because: 'a test failed',
    advice: 'Read which expectation failed, change the code for that case, and run the same test again.',
  },
  {
    id: 'not-found',
    pattern: /not found|no (?:results?|match|record|such|user|order|item)|unknown\b|does not exist|\b404\b/i,
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
  return errorClasses.find(({ pattern, madeBy }) => pattern.test(line) && (madeBy?.includes(kind) ?? true));
}

/** What a stored lesson's error is about; old rows and models may name any. */
export function errorClassOf(id: string | undefined): Pick<ErrorClass, 'id' | 'because' | 'advice'> {
  return errorClasses.find((row) => row.id === id) ?? unknownError;
}
