import { readActions } from './actions/read-actions.js';
import { readOutcome } from './read-outcome.js';

function outcomeOf(decision: string, result?: string) {
  const [action] = readActions(decision, { usesShell: true, givesOrders: false });
  if (!action) throw new Error('No action');
  return readOutcome(action, result);
}

describe('readOutcome', () => {
  it.each([
    ['rm x', "rm: cannot remove 'x': No such file or directory", 'missing-file'],
    ['foo --bar baz', '/bin/bash: line 1: foo: command not found', 'missing-program'],
    ["awk '{print $1}", "/bin/bash: -c: line 1: unexpected EOF while looking for matching `''", 'shell-syntax'],
    ['python3 run.py', 'Traceback (most recent call last):\n  File "run.py", line 1\nKeyError: \'id\'', 'code-lookup'],
    ['SELECT nme FROM users', 'sqlite3.OperationalError: no such column: nme', 'schema-column'],
    ['SELECT a FROM t', 'ERROR:  relation "t" does not exist', 'schema-table'],
    ['get_user({"id": 7})', '{"error": "user not found"}', 'not-found'],
    ['get_user({"id": 7})', '{"status": 429, "message": "too many requests"}', 'rate-limit'],
    ['get_user({"id": 7})', 'Error: user 7 not found', 'not-found'],
    ['curl -X POST http://localhost/users', 'HTTP/1.1 401 Unauthorized\ncontent-length: 0', 'unauthenticated'],
    ['click [9]', 'Invalid action: no element with id 9', 'missing-element'],
    ['click [9]', 'No matching interactive element found.', 'missing-element'],
    ['npm run build', '\u001b[31mError:\u001b[39m Cannot find module sow', 'missing-module'],
    ['Remove-Item beds.txt', 'Remove-Item : Cannot find path beds.txt because it does not exist.', 'missing-file'],
    ['cat x', '{"stdout": "", "stderr": "cat: x: No such file or directory", "exit_code": 1}', 'missing-file'],
    ['make all', 'cc: warning\ncc: file x does not exist\nExit code: 2', 'missing-file'],
    ['get_user({"id": 7})', "{'output': '', 'error': 'user not found'}", 'not-found'],
    ['pay({"id": 7})', '{"status": "rejected", "reason": "insufficient funds"}', 'insufficient'],
  ])('sees that %j failed: %j', (decision, result, id) => {
    expect(outcomeOf(decision, result)).toMatchObject({ kind: 'error', errorClass: { id } });
  });

  it.each([
    ['grep -i error app.log', 'Error: disk full\nError: disk full'],
    ['cat notes.txt', 'fatal: do not forget the milk'],
    ['get_page({"n": 1})', '{"title": "How to read an error", "error": null}'],
    ['get_order({"id": 4})', '[{"status": "failed delivery"}]'],
    ['get_payment({"id": 4})', '{"payment_id": 4, "amount": 12, "status": "failed"}'],
    ['get_product({"id": 4})', '{"name": "kettle", "price": 20, "code": 450}'],
    ['get_address({"id": 4})', '500 Oak Street'],
    ['get_report({"id": 4})', 'Error rate of the week\nFailed orders: 3'],
    ['grep -c todo notes.txt', '0\nExit code: 1'],
    ['grep todo notes.txt', '{"stdout": "", "stderr": "", "exit_code": 1}'],
    ['ls', 'errors.txt'],
  ])('does not take data for an error: %j prints %j', (decision, result) => {
    expect(outcomeOf(decision, result).kind).toBe('ok');
  });

  it.each(['', '[]', 'null', '(0 rows)', 'Empty set (0.00 sec)'])('calls %j silent', (result) => {
    expect(outcomeOf('SELECT a FROM t', result).kind).toBe('silent');
  });

  it('knows nothing where there is no result, nor of what a person answers', () => {
    expect(outcomeOf('ls').kind).toBe('unknown');
    expect(outcomeOf('What is your name, please?', 'Error, I mean Ada').kind).toBe('unknown');
  });
});
