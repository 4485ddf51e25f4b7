import { isRecord } from './actions/tool-call.js';
import { clip, oneLine } from './bounded-text.js';

const errorChars = 300;
const fails = /^(?:error|failure|fail)$/i;
/** Also how it stands with a payment or a request that a look-up shows. */
const mayFail = /^(?:failed|denied|rejected)$/i;

type Fields = Record<string, unknown>;

/** The message with which a result in JSON says that the call failed; undefined where it does not. */
export function errorInJson(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const stated = [value['error'], value['errors'], value['exception'], value['error_message']].find(isSaid);
  if (stated === undefined && !hasFailed(value)) return undefined;
  const status = value['status'] ?? value['status_code'] ?? value['statusCode'] ?? value['code'];
  const words = stated === undefined || stated === true ? (reasonIn(value) ?? stderrOf(value) ?? status) : stated;
  const message = isRecord(words) ? (words['message'] ?? words['detail'] ?? JSON.stringify(words)) : words;
  const told = typeof message === 'string' ? message : (JSON.stringify(message) ?? 'failed');
  return clip(oneLine(`${typeof status === 'number' ? `${status} ` : ''}${told}`.slice(0, 2 * errorChars)), errorChars);
}

function isSaid(item: unknown): boolean {
  return Boolean(item) && !(Array.isArray(item) && item.length === 0);
}

function hasFailed(value: Fields): boolean {
  if (value['success'] === false || value['ok'] === false) return true;
  // Programs say by 1 that they found nothing.
  if (exitCodeOf(value) > (stderrOf(value) === undefined ? 1 : 0)) return true;
  const { status } = value;
  if (typeof status === 'string' && fails.test(status)) return true;
  // A record may have such a field as well; an answer that says so also says why, or nothing else.
  const isAnswer = isSaid(reasonIn(value)) || Object.keys(value).length <= 2;
  if (typeof status === 'string' && mayFail.test(status)) return isAnswer;
  const code = value['status_code'] ?? value['statusCode'] ?? status ?? value['code'];
  return isAnswer && typeof code === 'number' && code >= 400 && code < 600;
}

function reasonIn(value: Fields): unknown {
  return value['message'] ?? value['detail'] ?? value['reason'];
}

/** Of a shell that answers in JSON. */
function exitCodeOf(value: Fields): number {
  const code = value['exit_code'] ?? value['exitCode'] ?? value['returncode'] ?? value['return_code'];
  return typeof code === 'number' ? code : 0;
}

function stderrOf({ stderr }: Fields): string | undefined {
  if (typeof stderr !== 'string' || stderr.trim() === '') return undefined;
  return stderr.slice(-2_000).trim().split('\n').at(-1);
}
