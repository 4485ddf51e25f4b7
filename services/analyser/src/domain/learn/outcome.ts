import {
  type Action,
  clip,
  headAndTail,
  type Literal,
  linesOf,
  oneLine,
  readLiteral,
  readShell,
} from '@whetstone/reading';

import { classifyError, type ErrorClass } from './error-classes.js';
import { phrases, wordsIn } from './phrases.js';

/** How an action ended. `silent`: an empty result, which means success for some programs and failure for others. */
export type OutcomeKind = 'ok' | 'error' | 'silent' | 'unknown';

export interface Outcome {
  kind: OutcomeKind;
  /** The error line. The environment wrote it: use it for classification, never quote it. */
  error?: string;
  errorClass?: ErrorClass;
  /** The result, clipped. */
  text: string;
}

const headChars = 6_000;
const tailChars = 3_000;
const linesFromEachEnd = 40;
const errorChars = 300;
const maxPrefixChars = 80;
/** For wrapped results: `{"result": {"error": …}}`. */
const maxDepth = 3;

/** Terminal escape sequences. */
const colours = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;?]{0,20}[A-Za-z]`, 'g');
const emptyResults = new Set([
  'none',
  'null',
  'undefined',
  'no output',
  '(no output)',
  '(empty)',
  '0 rows',
  '(0 rows)',
]);

/** Reads the result of an action. Only its beginning and end are parsed, whatever its size. */
export function readOutcome(action: Action, result: string | undefined): Outcome {
  if (result === undefined) return { kind: 'unknown', text: '' };
  const text = headAndTail(result, headChars, tailChars).replace(colours, '');
  if (action.kind === 'reply') return { kind: 'unknown', text };
  const trimmed = text.trim();
  const value = '[{"('.includes(trimmed.charAt(0)) ? readLiteral(trimmed) : undefined;
  if (trimmed === '' || emptyResults.has(trimmed.toLowerCase()) || (value !== undefined && isEmpty(value)))
    return { kind: 'silent', text: '' };

  const error = value === undefined || typeof value === 'string' ? errorLine(action, trimmed) : errorIn(value);
  if (error === undefined) return { kind: 'ok', text };
  const line = clip(oneLine(error.slice(0, 2 * errorChars)), errorChars);
  const errorClass = classifyError(line, action.kind);
  return { kind: 'error', error: line, text, ...(errorClass ? { errorClass } : {}) };
}

function isEmpty(value: Literal): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

type Fields = { [name: string]: Literal };

/** Keys of a result, in lower case and without underscores. */
const errorKeys = ['err', 'exception', 'fault', 'fail', 'fehl'];
const okKeys = new Set(['ok', 'success', 'succeeded', 'successful']);
const statusKeys = new Set(['status', 'statuscode', 'httpstatus', 'code']);
const exitKeys = new Set(['exit', 'exitcode', 'exitstatus', 'returncode', 'rc']);
const failures = new Set(['error', 'failed', 'failure', 'fail', 'denied', 'rejected']);
const noError = new Set(['', 'none', 'null', 'no', '0', 'false']);

function plainKey(key: string): string {
  return key.toLowerCase().replaceAll('_', '');
}

/** The error message in a structured result. */
function errorIn(value: Literal, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return undefined;
  if (Array.isArray(value)) return value.length === 1 ? errorIn(value[0] as Literal, depth + 1) : undefined;
  const entries = Object.entries(value).map(([key, item]) => [plainKey(key), item] as const);
  const stated = entries.find(
    ([key, item]) => errorKeys.some((prefix) => key.startsWith(prefix)) && isErrorValue(item),
  );
  if (stated) return withStatus(value, wordsOf(stated[1]) ?? messageIn(value) ?? stated[0]);
  const failed = entries.some(
    ([key, item]) =>
      (okKeys.has(key) && item === false) ||
      (statusKeys.has(key) && isBadStatus(item, entries.length)) ||
      (exitKeys.has(key) && typeof item === 'number' && item > (hasStderr(value) ? 0 : 1)),
  );
  if (failed) return withStatus(value, messageIn(value) ?? 'no reason given');
  // Unwrap an envelope.
  const inner = entries.filter(([, item]) => typeof item === 'object' && item !== null);
  return inner.length === 1 && entries.length <= 3 ? errorIn(inner[0]?.[1] as Literal, depth + 1) : undefined;
}

/** Texts, lists and objects are errors; numbers are counts: `{"errors": 0}`, `{"error_rate": 0.2}`. */
function isErrorValue(item: Literal): boolean {
  if (typeof item === 'string') return !noError.has(item.trim().toLowerCase());
  return item === true || (typeof item === 'object' && item !== null && Object.keys(item).length > 0);
}

/**
 * In a long record a status such as `denied` may be data; in a result of a few fields it is the outcome of the call.
 */
function isBadStatus(item: Literal, fields: number): boolean {
  if (typeof item === 'number') return item >= 400 && item < 600;
  const word = typeof item === 'string' ? item.toLowerCase() : '';
  return failures.has(word) && (word.startsWith('error') || word.startsWith('fail') || fields <= 3);
}

function withStatus(value: Fields, words: string): string {
  const status = Object.entries(value).find(([key, item]) => statusKeys.has(plainKey(key)) && typeof item === 'number');
  return status ? `${status[1] as number} ${words}` : words;
}

function hasStderr(value: Fields): boolean {
  return typeof value['stderr'] === 'string' && value['stderr'].trim() !== '';
}

function messageIn(value: Fields): string | undefined {
  for (const key of ['message', 'detail', 'details', 'reason', 'stderr', 'msg', 'output', 'title']) {
    const words = value[key] === undefined ? undefined : wordsOf(value[key]);
    if (words !== undefined) return words;
  }
  return undefined;
}

function wordsOf(item: Literal): string | undefined {
  if (typeof item === 'string') return item.trim() === '' ? undefined : item.trim().slice(-2 * errorChars);
  if (typeof item !== 'object' || item === null) return undefined;
  const record = (Array.isArray(item) ? item[0] : item) as Literal;
  if (typeof record === 'string') return record;
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return undefined;
  return messageIn(record) ?? JSON.stringify(record).slice(0, errorChars);
}

const typedError = /^(?:\w{1,80}\.){0,8}[A-Z]\w{0,60}(?:Error|Exception)(?= ?[:(]|$)/;
const frame = /^(?:at .*[:(]\d|File ".*", line \d)/;
/** `HTTP 422`, `status code: 422`, `<Response [422]>` */
const namedStatus = /^[<[(]?(?:HTTP(?:\/[\d.]{1,3})?|(?:HTTP )?(?:response|status)(?: code)?)[:=]? ?[[(]?[45]\d\d\b/i;
/** `422 Unprocessable`, `→ 422: …`; a number alone may be a count. */
const bareStatus = /^(?:→ ?)?[45]\d\d(?= ?(?:[A-Z{:–]|- ))/;
/** `#N/A`, `#NAME?`, `#DIV/0!` */
const formulaError = /^#(?:N\/A|[A-Z\d/]{3,9}[!?])/;
const exitLine = /\b(?:exit|exited|returned|failed) .{0,20}\b(?:code|status)\W{1,3}(\d{1,3})\b/i;
const shellMessage = /(?:^|\/)(?:ba|z|da|k)?sh: |: line \d+: /;
/** How error lines start; “Error rate: 3 %” is data. */
const errorStart = phrases(
  '^ error|err|fatal|failed|failure|refused|rejected|denied|declined|exception|panic|invalid|unauthori*|forbidden|access+denied|permission+denied|cannot|cant|could+not|unable+to|unknown|no+such|npm+err|usage+:|fehler|erreur, ^ timeout ~2 exceeded, ^ ~1 timed out',
);
const errorCount = phrases('^ ~3 : #|0 $, ^ ~1 rate|count|report|log|logs');

function startsLikeError(line: string): boolean {
  // A field of a record is data.
  if ('{[("'.includes(line.charAt(0))) return false;
  const words = wordsIn(line);
  return errorStart(words) && !errorCount(words);
}

function errorLine(action: Action, text: string): string | undefined {
  const lines = linesOf(text, linesFromEachEnd);
  const [first = ''] = lines;
  if (isBadStatusLine(action, first)) return first;
  const thrown = errorThrown(lines);
  if (thrown !== undefined) return thrown;
  if (action.kind === 'command') return commandError(action, lines);
  const saysError = (line: string) =>
    startsLikeError(line) || typedError.test(line) || isBadStatusLine(action, line) || isFormulaError(action, line);
  return lines.slice(0, 4).find(saysError) ?? lines.slice(-3).find(saysError) ?? rejectionIn(action, lines);
}

function isBadStatusLine({ kind }: Action, line: string): boolean {
  if (kind === 'command') return false;
  if (namedStatus.test(line) || (kind !== 'sql' && bareStatus.test(line))) return true;
  return kind === 'http' && /^(?:→ ?)?[45]\d\d$/.test(line);
}

function isFormulaError({ kind }: Action, line: string): boolean {
  return kind === 'code' && formulaError.test(line);
}

/** Text environments reject a command with a single sentence. */
function rejectionIn({ kind }: Action, [first = '', ...more]: readonly string[]): string | undefined {
  if (kind !== 'call' || more.length > 0) return undefined;
  const known = classifyError(first, kind)?.id;
  return known === 'unknown-action' || known === 'missing-element' ? first : undefined;
}

/** The line of a stack trace that names the error: below the frames in Python, above them elsewhere. */
function errorThrown(lines: readonly string[]): string | undefined {
  const at = lines.findIndex((line) => frame.test(line));
  if (at < 0) return undefined;
  return (
    lines.slice(at).findLast((line) => typedError.test(line)) ?? lines.slice(0, at).findLast((line) => line !== '')
  );
}

/** Programs prefix their errors with their name, `rm: cannot …`; other output may contain any word. */
function commandError(action: Action, lines: readonly string[]): string | undefined {
  const programs = new Set(readShell(action.text)?.map(({ program }) => program));
  const message = lines.find((line) => shellMessage.test(line) || isMessageOf(programs, line));
  if (message !== undefined) return message;
  const exit = lines.map((line) => exitLine.exec(line)?.[1]).find((code) => code !== undefined);
  // grep and diff exit with 1 for no match or a difference, which is not a failure.
  if (exit !== undefined && exit !== '0' && (exit !== '1' || lines.length > 1))
    return lines.findLast((line) => !exitLine.test(line)) ?? `exit code ${exit}`;
  return lines.length <= 3 ? lines.find((line) => startsLikeError(line) || typedError.test(line)) : undefined;
}

function isMessageOf(programs: ReadonlySet<string>, line: string): boolean {
  const colon = line.slice(0, maxPrefixChars).indexOf(': ');
  const speaker = line.slice(0, colon);
  if (colon < 1 || !programs.has(speaker.slice(speaker.lastIndexOf('/') + 1))) return false;
  const message = line.slice(colon + 2);
  return classifyError(message, 'command') !== undefined || startsLikeError(message);
}
