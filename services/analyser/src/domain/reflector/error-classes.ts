import type { ActionKind } from './actions/action.js';

/** One kind of mistake: how it is recognised, and what a person who knows it would tell the next one. */
export interface ErrorClass {
  id: string;
  pattern: RegExp;
  /** The kinds of action that make it; absent: all. The same words mean one thing to a database and another to awk. */
  madeBy?: readonly ActionKind[];
  /** What to do about it. */
  advice: string;
}

const notShell: readonly ActionKind[] = ['sql', 'tool', 'code'];

/** In the order of how much they tell; the first that matches names the error. Patterns see one bounded line. */
const errorClasses: readonly ErrorClass[] = [
  {
    id: 'missing-program',
    pattern:
      /command not found|: not found$|is not recognized as an internal|executable file not found|program not found/i,
    advice: 'That program is not there: check with `command -v` first, or use one that is.',
  },
  {
    id: 'missing-module',
    pattern:
      /no module named|cannot find module|modulenotfounderror|importerror|unresolved import|package .{1,60} (?:is )?not (?:found|installed)/i,
    advice: 'Install the missing package first, or use what the standard library offers.',
  },
  {
    id: 'bad-option',
    pattern:
      /unrecogni[sz]ed option|invalid option|unknown option|illegal option|unknown (?:flag|predicate|argument|parameter)|unexpected keyword argument|no such option/i,
    advice: 'That option does not exist here: look at `--help`, or do it with another tool.',
  },
  {
    id: 'script-syntax',
    madeBy: ['shell'],
    pattern:
      /syntax error at (?:or near|source line)|unterminated (?:address|`?s'?|string)|unknown command: |extra characters after command|unknown option to `?s/i,
    advice:
      'The script handed to the program does not parse: make it smaller, quote it once with single quotes, and try it on one line.',
  },
  {
    id: 'shell-syntax',
    pattern:
      /unexpected (?:eof|end of file)|end of file unexpected|syntax error near|unterminated|unmatched|bad substitution|looking for matching|syntax error: /i,
    advice:
      'The quoting or the nesting did not survive the shell: use one kind of quotes, avoid quotes inside quotes, and close every block.',
  },
  {
    id: 'schema-column',
    madeBy: notShell,
    pattern:
      /unknown column|no such column|column .{1,80}does not exist|invalid column name|ambiguous column|column reference .{1,80}is ambiguous|is ambiguous/i,
    advice:
      'Look at the columns of the tables first (`DESCRIBE`, `PRAGMA table_info`, information_schema), and qualify them with the table.',
  },
  {
    id: 'schema-table',
    madeBy: notShell,
    pattern:
      /no such table|table .{1,80}doesn'?t exist|relation .{1,80}does not exist|unknown table|unknown database|invalid object name/i,
    advice: 'List the tables first (`SHOW TABLES`, information_schema) instead of guessing their names.',
  },
  {
    id: 'sql-group',
    madeBy: notShell,
    pattern:
      /must appear in the group by|only_full_group_by|not a group by expression|misuse of aggregate|aggregate functions? (?:are|is) not allowed/i,
    advice: 'Every selected column has to be grouped or aggregated; conditions on aggregates go into `HAVING`.',
  },
  {
    id: 'sql-syntax',
    madeBy: notShell,
    pattern: /sql syntax|near ["'].{0,80}["']: syntax error|syntax error at or near|ora-009\d\d|incorrect syntax/i,
    advice: 'Write it in the dialect of this database, and send one complete statement.',
  },
  {
    id: 'taken',
    pattern: /\b(?:is|are) busy\b|already (?:booked|reserved|taken)|not free\b|overlaps? with|double.?book/i,
    advice: 'Look up what is free first, and then take one of that.',
  },
  {
    id: 'constraint',
    pattern:
      /constraint failed|violates .{1,60}constraint|duplicate entry|duplicate key|already exists|file exists|conflict\b/i,
    advice: 'Something with that key or name is there already: look first, then update it or choose another.',
  },
  {
    id: 'condition',
    madeBy: ['tool'],
    pattern:
      /\bnon-[a-z]+ .{0,40}\b(?:cannot|can'?t|not)\b|\b(?:cannot|can'?t|can only|may only) be \w+ (?:if|unless|when|while|until|once|after|before|because|since|for|to|with|in)\b|\bonly .{1,60} can be\b|\bnot (?:allowed|permitted|possible|eligible) (?:for|if|unless|when|while|until|once|after|before|because|since|in|with|on)\b|\bstatus (?:is|must|should|does)\b/i,
    advice: 'The message names the condition: look it up before this call, and take the call that fits it.',
  },
  {
    id: 'wrong-type',
    pattern: /is a directory|not a directory|not a regular file|not a file/i,
    advice:
      'A folder stood where a file was meant, or the reverse: select by type first, or say that folders are meant.',
  },
  {
    id: 'missing-file',
    pattern:
      /no such file or directory|cannot (?:access|open|stat|find)|filenotfounderror|enoent|path .{0,80}not (?:found|exist)|does not exist/i,
    advice: 'List what is there (`ls`, `find`) before naming a path, and use absolute paths.',
  },
  {
    id: 'denied',
    pattern:
      /permission denied|access denied|operation not permitted|eacces|read-only file system|not allowed|forbidden|\b403\b/i,
    advice: 'The right to do this is missing: use an account, a token or a place that has it instead of trying again.',
  },
  {
    id: 'unauthenticated',
    pattern:
      /unauthori[sz]ed|authentication (?:failed|required)|invalid (?:token|credentials|api key)|not logged in|login required|\b401\b/i,
    advice: 'Sign in, or send valid credentials, before this call.',
  },
  {
    id: 'rate-limit',
    pattern: /too many requests|rate.?limit|quota exceeded|\b429\b/i,
    advice: 'Wait as long as the answer says and send fewer requests at once.',
  },
  {
    id: 'timeout',
    pattern: /timed? ?out|deadline exceeded|etimedout/i,
    advice: 'Do less at once (narrow it, page it), or wait for readiness before trying again.',
  },
  {
    id: 'unreachable',
    pattern:
      /connection refused|econnrefused|could not resolve host|network is unreachable|name or service not known|service unavailable|bad gateway|\b50[234]\b/i,
    advice: 'The other side is not up: check that it runs and which address it listens on.',
  },
  {
    id: 'no-effect',
    madeBy: ['order', 'browser'],
    pattern: /nothing happens|no known action|understand|recogni[sz]e|you can'?t|not a verb/i,
    advice:
      'It has no effect as things are: see in the last observation whether it is there, open, within reach, and the hands free, before another form of it.',
  },
  {
    id: 'alternatives',
    madeBy: ['tool', 'browser', 'order', 'reply'],
    pattern:
      /\bsimilar: ?\[|did you mean|must be one of|(?:available|valid|allowed|possible) (?:options|actions|tools|values|names|commands|choices) ?(?:are\b|:)|choose (?:from|one of)/i,
    advice: 'The answer lists what there is: take one of those, word for word.',
  },
  {
    id: 'missing-element',
    pattern:
      /(?:no|unknown|invalid|cannot find|could not find)\b.{0,30}\belement|element .{0,60}(?:not|no longer)|not (?:clickable|visible|interactable)|stale element|no such element|does not match any|no node found/i,
    advice:
      'Read the page again before acting: element ids change with every page, so take the id from the newest observation, scroll to it or wait for it.',
  },
  {
    id: 'page-offers',
    madeBy: ['browser'],
    pattern: /invalid action|unknown action|not a valid action/i,
    advice:
      'Act only on what the newest page shows, by the words that stand there, and go back to where it was seen first.',
  },
  {
    id: 'invalid-action',
    pattern:
      /invalid action|unknown action|could not (?:be )?pars|not a valid action|unknown tool|no such tool|tool .{1,60}not found|action format|unknown function/i,
    advice: 'Use only the actions that exist, in exactly the format that the environment asks for, one at a time.',
  },
  {
    id: 'amounts',
    pattern: /do(?:es)?(?: not|n't) add up|(?:amount|total|sum)s? .{0,60}(?:mismatch|do(?:es)? not match|not equal)/i,
    advice:
      'Work out the total with every fee in it before this call, and split it so that the parts come to exactly that.',
  },
  {
    id: 'insufficient',
    pattern: /not enough|insufficient|out of stock|exceeds|sold out|not available|unavailable|limit reached/i,
    advice: 'Look up balance, stock and availability before this call, and take only what they cover.',
  },
  {
    id: 'missing-argument',
    pattern:
      /missing (?:required|operand|argument|parameter|positional|file operand|1)|required (?:parameter|field|argument|property)|field required|is required|too few arguments|requires an argument|must be (?:specified|provided)|usage:/i,
    advice: 'Give everything that the call requires; its usage or schema says what.',
  },
  {
    id: 'bad-value',
    pattern:
      /valueerror|typeerror|invalid (?:argument|value|input|format|date|literal|type|number|arguments|mode|regular)|must be (?:a|an|one of|in)\b|expected .{1,60}(?:got|but|received)|validation|unprocessable|bad request|cannot (?:parse|convert)|\b4(?:00|22)\b/i,
    advice: 'Check type and format of the values against what the message asks for.',
  },
  {
    id: 'demand',
    madeBy: ['tool'],
    pattern:
      /\b(?:should|must|needs? to|has to|have to) (?:match|equal|be (?:either|the same|equal|at (?:least|most)|between))\b/i,
    advice: 'The message says what the call needs: give exactly that, or tell the user that it cannot be met.',
  },
  {
    id: 'code-lookup',
    pattern:
      /keyerror|attributeerror|nameerror|undefined (?:variable|name|method)|is not defined|is not a function|has no attribute|indexerror|list index out of range|cannot read propert|undefined is not/i,
    advice: 'Print the object or its keys first and use names that exist; guard against the missing ones.',
  },
  {
    id: 'code-syntax',
    pattern:
      /syntaxerror|indentationerror|unexpected token|parse error|invalid syntax|compilation failed|error\[e\d+\]|error ts\d+/i,
    advice: 'Send complete, correctly indented code; check it with the compiler before running.',
  },
  {
    id: 'test-failure',
    pattern:
      /assertionerror|^failed\b|\b[1-9]\d* failed|tests? (?:cases? )?failed|tests?(?: cases?)? (?:did not|didn'?t) pass|assertion failed|expect\(/i,
    advice: 'Read which expectation failed and change the code for that case, then run the same test again.',
  },
  {
    id: 'not-found',
    pattern:
      /not found|no (?:results?|matches|records?|such|matching|user|order|item|reservation)\b|unknown\b|\b404\b|could not find|cannot find/i,
    advice: 'The id or name is not known there: look it up (list or search) instead of guessing it.',
  },
  {
    id: 'refused',
    pattern:
      /cannot be|can'?t be|not (?:permitted|possible|supported|eligible|valid)|refus|reject|denied|failed to|unable to|cannot|could not|couldn'?t/i,
    advice: 'Find out which condition is not met before trying the same again.',
  },
];

export function classifyError(line: string, kind: ActionKind): ErrorClass | undefined {
  return errorClasses.find(({ pattern, madeBy }) => pattern.test(line) && (madeBy?.includes(kind) ?? true));
}
