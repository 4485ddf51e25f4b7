import type { Action, ActionKind } from '@whetstone/reading';

import { readOutcome } from './outcome.js';

const action = (kind: ActionKind, text: string): Action => ({ kind, verb: text.split(/[ (]/, 1)[0] ?? '', text });
const call = action('call', 'book({"day": 1})');
const command = action('command', 'cat notes | grep error');
const request = action('http', 'POST /orders');
const query = action('sql', 'SELECT n FROM t');

describe('results of failed actions', () => {
  it.each<[Action, string, string | undefined]>([
    // By structure.
    [call, '{"error": "no such room"}', 'not-found'],
    [call, "{'error': 'no such room'}", 'not-found'],
    [call, '{"fehler": "Raum belegt"}', undefined],
    [call, '{"erreur": "salle occupée"}', undefined],
    [call, '{"errors": [{"message": "seat already taken"}]}', 'exists'],
    [call, '{"exception": {"detail": "rate limit"}}', 'rate-limit'],
    [call, '{"fault": true, "reason": "forbidden"}', 'denied'],
    [call, '{"failed": true, "message": "out of stock"}', 'insufficient'],
    [call, '{"success": false, "message": "date is required"}', 'missing-argument'],
    [call, '{"ok": false}', undefined],
    [call, '{"status": 404, "title": "x"}', 'not-found'],
    [call, '{"statusCode": 429}', 'rate-limit'],
    [call, '{"http_status": 503}', 'unreachable'],
    [call, '{"code": 401, "msg": "x"}', 'unauthenticated'],
    [call, '{"status": "error", "detail": "timed out"}', 'timeout'],
    [call, '{"status": "denied"}', undefined],
    [call, '{"result": {"error": "quota exceeded"}}', 'rate-limit'],
    [call, '[{"error": "quota exceeded"}]', 'rate-limit'],
    [call, '{"exit_code": 2, "stdout": ""}', undefined],
    [call, '{"exit": 2}', undefined],
    [call, '{"exitStatus": 2}', undefined],
    [call, '{"rc": 2}', undefined],
    [call, '{"returncode": 1, "stderr": "cat: x: No such file or directory"}', 'missing-file'],
    [request, '422', 'bad-value'],
    [request, 'HTTP/1.1 409 Conflict', 'exists'],
    [request, '→ 500', undefined],
    [request, 'HTTP 422 {"errors": [{"field": "sku", "message": "is required"}]}', 'missing-argument'],
    [call, 'status code: 429', 'rate-limit'],
    [call, '<Response [404]>', 'not-found'],
    [call, '404 Not Found', 'not-found'],
    [action('code', '=VLOOKUP(A2, B:C, 2)'), '#N/A', undefined],
    [action('code', '=SUMM(A1:A9)'), '#NAME?', undefined],
    [query, 'ERROR: column "n" does not exist', 'unknown-column'],
    [action('code', 'f()'), 'Traceback (most recent call last):\n  File "a.py", line 3, in f\nKeyError: 1', 'lookup'],
    [action('code', 'f()'), 'TypeError: x is not a function\n    at f (a.js:1:2)', 'bad-value'],
    [call, 'java.lang.IllegalStateException: closed\n\tat a.B.c(B.java:12)', undefined],
    // By how programs report errors.
    [command, 'cat: notes: No such file or directory', 'missing-file'],
    [command, '/bin/sh: 1: catt: not found', 'missing-program'],
    [command, 'script.sh: line 3: syntax error near unexpected token', 'syntax'],
    [command, 'reading\nProcess exited with code 2', undefined],
    // By words at the start of a line.
    [call, 'Error: the room is already booked', 'exists'],
    [call, 'Unknown tool: boook', 'unknown-action'],
    [action('command', 'wms move 12'), 'ERR: lock required', undefined],
    [call, 'Timeout 30000ms exceeded waiting for selector "#go"', 'timeout'],
    [call, 'Request timed out after 30 s', 'timeout'],
    [call, 'Refused: above the limit', undefined],
    [call, 'rejected: ask a manager', undefined],
    [call, 'Denied. The guest is a minor.', undefined],
    [call, 'Declined by the bank', undefined],
    [call, 'Nothing happens.', 'unknown-action'],
  ])('%j: %s', (done, result, id) => {
    const outcome = readOutcome(done, result);

    expect(outcome.kind).toBe('error');
    expect(outcome.errorClass?.id).toBe(id);
  });
});

describe('other results', () => {
  it.each<[Action, string]>([
    [call, '{"error": null, "id": 3}'],
    [call, '{"errors": 0, "id": 3}'],
    [call, '{"errors": [], "id": 3}'],
    [call, '{"error_rate": 0.2}'],
    [call, '{"error": "none"}'],
    [call, '{"orders": [{"id": 1, "status": "failed"}, {"id": 2}]}'],
    [call, '{"id": 1, "status": "denied", "sum": 3, "day": 2}'],
    [call, '{"status": 200}'],
    [call, '{"exit_code": 1, "stdout": ""}'],
    [call, '{"exit_code": 0}'],
    [call, '{\n"error": null,'],
    [call, 'Error rate: 3 %'],
    [call, 'Failed orders: 3'],
    [call, 'Refused orders: 3'],
    [call, 'Your order with number 404 is on its way to you, and will come soon. Thank you.'],
    [command, 'app: error while loading\nerror: old line of a log\nmore\nlines'],
    [command, 'exit code: 0'],
    [query, '(3 rows)'],
    [query, '404'],
    [query, '450 rows'],
    [call, '404'],
    [request, 'HTTP 201 {"id": 7}'],
    [action('code', '=A1'), '#1 in the list'],
  ])('%j: %s', (done, result) => {
    expect(readOutcome(done, result).kind).toBe('ok');
  });

  it.each(['', ' \n', '[]', '{}', 'null', 'None', '""', '(no output)', '0 rows'])('are silent: %j', (result) => {
    expect(readOutcome(query, result)).toEqual({ kind: 'silent', text: '' });
  });

  it('are unknown if there is no result, or a person replied', () => {
    expect(readOutcome(call, undefined)).toEqual({ kind: 'unknown', text: '' });
    expect(readOutcome(action('reply', 'Done.'), 'Error: no').kind).toBe('unknown');
  });
});

it('reads both ends of a long result, without terminal colours', () => {
  const long = `${'x\n'.repeat(100_000)}\u001b[31mcat: notes: Permission denied\u001b[0m`;

  expect(readOutcome(command, long).errorClass?.id).toBe('denied');
});
