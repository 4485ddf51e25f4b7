import type { Action } from './actions/action.js';
import { parseJson } from './actions/tool-call.js';
import { clip, headAndTail, linesOf, oneLine } from './bounded-text.js';
import { classifyError, type ErrorClass } from './error-classes.js';
import { errorInJson } from './error-in-json.js';
import { readStages } from './shell/shell-command.js';
import { wordsFor } from './shell/shell-vocabulary.js';

/** How an action ended. `silent`: nothing came back, which is success for some programs and failure for others. */
export type OutcomeKind = 'ok' | 'error' | 'silent' | 'unknown';

export interface Outcome {
  kind: OutcomeKind;
  /** The line that says what went wrong. */
  error?: string;
  errorClass?: ErrorClass;
  /** The result, bounded, for comparing and for notes. */
  text: string;
}

const headChars = 6_000;
const tailChars = 3_000;
const linesFromEachEnd = 40;

/** What a terminal is told, and not the reader: colours, where to write. */
const colours = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;?]{0,20}[A-Za-z]`, 'g');
const nothing =
  /^(?:|\[\]|\{\}|null|none|undefined|""|''|\(no output\)|\(empty\)|no output|empty set.*|\(0 rows\)|0 rows?(?: returned)?\.?|no (?:rows|results|output|matches)(?: (?:found|returned))?\.?)$/i;
/** A title, or how many there are, tells of errors and is none: “Error rate of the week”, “Failed orders: 3”. */
const loudError =
  /^(?:error|fatal|failed|failure|exception|panic|invalid|unauthori[sz]ed|forbidden|access denied|permission denied|cannot|could not|unable to|npm err!|err!|e:|usage:)\b(?! (?:\w+ ){0,2}(?:rates?|counts?|reports?|logs?|analysis)\b|[^:]{1,40}: ?[\d.,]+ ?%?$) ?[:!\w([-]/i;
const typedError = /^(?:[\w.]{1,80})?(?:Error|Exception|Fault)\b ?[:(]/;
const tracebackStart = /^(?:traceback \(most recent call last\)|stack trace:)/i;
/** A status with its words: “500 Oak Street” is an address. */
const httpStatus =
  /^(?:HTTP\/[\d.]{1,3} [45]\d\d\b|[45]\d\d (?:Bad|Unauthori[sz]ed|Payment|Forbidden|Not|Method|Proxy|Request|Conflict|Gone|Length|Precondition|Payload|Content|Unsupported|Unprocessable|Locked|Too|Internal|Service|Gateway|Client|Server)\b)|\bHTTP(?: error| status)?:? ?[45]\d\d\b|\bstatus(?: code)?:? ?[45]\d\d\b/;
const databaseError =
  /^(?:ERROR \d+|ORA-\d+|SQLSTATE|psql:|sqlite3?\.\w*Error|Parse error|Runtime error|Query error)|\bno such (?:table|column)\b|syntax error at or near/i;
const environmentRefusal =
  /^(?:invalid action|unknown (?:action|tool|command|function)|no (?:\w+ ){0,3}(?:element|node)s?\b|no such|element .{0,40}not|action .{0,40}(?:failed|invalid|not)|tool .{0,60}not found|command not found|not found\b|no results|nothing happens\b|no known action|(?:i |you )?(?:don'?t|do not) (?:understand|recogni[sz]e)|you can'?t\b|that'?s not a verb|tests?(?: cases?)? (?:did not|didn'?t) pass|wrong answer\b|incorrect answer\b)/i;
/** In JSON that was cut, or as Python prints it. */
const errorField = /["'](?:error|error_message|exception)["']\s?:\s?(["'])([^"']{2,200})\1/;
const exitLine =
  /^\W{0,3}(?:(?:process |command )?(?:exited|finished|failed|terminated) with (?:exit )?(?:code|status)|exit(?: code| status)|return ?code)\W{1,3}([1-9]\d{0,2})\b/i;
const shellMessage = /^(?:\/\S{1,40}\/)?([\w.+-]{1,40}) ?: (.{3,})/;
const shellNames = new Set(['bash', 'sh', 'zsh', 'dash', 'line', '-bash', '-c', '-i']);
const shellBroken = /unexpected EOF|syntax error|command not found|bad substitution|looking for matching/;

/** Reads what came back for an action. Whatever the size, only the two ends of it are looked at. */
export function readOutcome(action: Action, result: string | undefined): Outcome {
  if (result === undefined) return { kind: 'unknown', text: '' };
  const text = headAndTail(result, headChars, tailChars).replace(colours, '');
  if (action.kind === 'reply') return { kind: 'unknown', text };
  if (nothing.test(text.trim().slice(0, 60))) return { kind: 'silent', text: '' };

  const error = errorLine(action, text);
  if (error === undefined) return { kind: 'ok', text };
  const errorClass = classifyError(error, action.kind);
  return { kind: 'error', error, text, ...(errorClass ? { errorClass } : {}) };
}

function errorLine(action: Action, text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) {
    const value = parseJson(trimmed);
    if (value !== undefined) return errorInJson(value);
    return errorField.exec(trimmed.slice(0, 2_000))?.[2];
  }
  const lines = linesOf(trimmed, linesFromEachEnd);
  if (action.kind === 'shell') return shellError(action, lines);
  return traceback(lines) ?? lines.slice(0, 6).find(saysError) ?? lines.slice(-3).find(saysError);
}

function saysError(line: string): boolean {
  return (
    loudError.test(line) ||
    typedError.test(line) ||
    httpStatus.test(line) ||
    databaseError.test(line) ||
    environmentRefusal.test(line)
  );
}

/** The programs of the command speak as `rm: cannot …`; what they print as data may contain any word. */
function shellError(action: Action, lines: readonly string[]): string | undefined {
  const stages = readStages(action.text);
  const programs = new Set(stages.map(({ program }) => program));
  const printsData = stages.length > 0 && stages.every(({ program }) => wordsFor(program)?.role === 'look');
  const hint = lines.findIndex((line) => /^Try '.{1,60}--help'/.test(line));
  const own = hint > 0 ? lines[hint - 1] : lines.find((line) => speaksAs(programs, line));
  if (own !== undefined) return clip(oneLine(own), 300);
  const said =
    traceback(lines) ?? (printsData ? undefined : (loudLine(lines.slice(0, 4)) ?? loudLine(lines.slice(-3))));
  return said ?? lastWordOnExit(lines, printsData ? 2 : 1);
}

function loudLine(lines: readonly string[]): string | undefined {
  return lines.find(saysError);
}

/** What was said last where the shell tells that the command failed. To find nothing, or a difference, is 1 and no failure. */
function lastWordOnExit(lines: readonly string[], leastCode: number): string | undefined {
  const exit = lines.find((line) => exitLine.test(line));
  if (exit === undefined || Number(exitLine.exec(exit)?.[1]) < leastCode) return undefined;
  return clip(oneLine(lines.findLast((line) => line !== exit && !/^<\/?\w{1,20}>$/.test(line)) ?? exit), 300);
}

function speaksAs(programs: ReadonlySet<string>, line: string): boolean {
  if (/: line \d+: |^-?c?: line /.test(line) && shellBroken.test(line)) return true;
  const [, speaker = '', message = ''] = shellMessage.exec(line) ?? [];
  if (speaker === '') return false;
  if (shellNames.has(speaker)) return true;
  return (
    programs.has(speaker) &&
    (classifyError(message, 'shell') !== undefined ||
      /^(?:invalid|illegal|extra|missing|bad|cannot|no |not )/i.test(message))
  );
}

/** The last line of a traceback names the error; the rest is where it came from. */
function traceback(lines: readonly string[]): string | undefined {
  const start = lines.findIndex((line) => tracebackStart.test(line));
  if (start < 0) return undefined;
  return (
    lines.slice(start + 1).find((line) => typedError.test(line)) ??
    lines.findLast((line) => /^\w+(?:Error|Exception)/.test(line))
  );
}
