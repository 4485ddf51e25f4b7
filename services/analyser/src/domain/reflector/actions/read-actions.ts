import { headAndTail } from '../bounded-text.js';
import { looksLikeShell, readStages } from '../shell/shell-command.js';
import type { Action, ActionKind, Wrapping } from './action.js';
import { readBrowserAction } from './browser-action.js';
import { executedBy, spokenBy } from './executed-text.js';
import { isFinishing } from './given-answer.js';
import { isThought, readOrder } from './order-action.js';
import { readSqlVerb } from './sql-statement.js';
import { withoutThought } from './tagged-action.js';
import { readToolCalls, toolCallOf } from './tool-call.js';
import { type Unwrapped, unwrapDecision } from './unwrap-decision.js';

const wholeCallLimit = 64 * 1024;
const headChars = 4_000;
const tailChars = 1_000;

const codeLanguages = new Set([
  'python',
  'py',
  'javascript',
  'js',
  'typescript',
  'ts',
  'ruby',
  'java',
  'go',
  'rust',
  'c',
  'cpp',
  'r',
  'php',
]);
const shellLanguages = new Set(['bash', 'sh', 'shell', 'zsh', 'console', 'terminal']);
const pythonStart = /^(?:import \w|from \w[\w.]* import |def \w+\(|class \w+[(:]|print\()/;

/** What the run as a whole says of decisions that could be read in several ways. */
export interface Manner {
  /** A command that could as well be words is a command. */
  usesShell: boolean;
  /** A few words are an order to an environment, and not a reply to a person. */
  givesOrders: boolean;
}

/** The actions of a decision: commands, queries, tool calls, browser actions, orders; else a reply. */
export function readActions(decision: string, manner: Manner): Action[] {
  const whole = decision.length <= wholeCallLimit ? decision : headAndTail(decision, headChars, tailChars);
  const said = withoutThought(whole.trim());
  if (said === '') return [simple('think', { text: whole })];
  const unwrapped = unwrapDecision(said);
  const calls =
    unwrapped.input === undefined
      ? readToolCalls(unwrapped.text)
      : [toolCallOf(unwrapped.text.slice(0, 80), unwrapped.input)];
  const browser = readBrowserAction(unwrapped.text);
  if (browser) return [withWrapping(browser, unwrapped.wrapping)];
  if (isFinishing(unwrapped.text)) return [simple('finish', unwrapped)];
  if (calls.length > 0 && !codeLanguages.has(unwrapped.language ?? ''))
    return calls.map((call) => withWrapping(bounded(executedOf(call)), unwrapped.wrapping));
  if (isThought(unwrapped.text)) return [simple('think', unwrapped)];
  const order = manner.givesOrders ? readOrder(unwrapped.text) : undefined;
  if (order) return [withWrapping(order, unwrapped.wrapping)];
  return [readPlain(unwrapped, manner.usesShell, said)];
}

/** A tool that executes text is seen as what it executes, and one that says something as what it says. */
function executedOf(call: Action): Action {
  const spoken = spokenBy(call);
  if (spoken !== undefined) return { kind: 'reply', name: 'reply', args: {}, text: spoken };
  const executed = executedBy(call);
  if (!executed) return call;
  const name = executed.kind === 'shell' ? (readStages(executed.text)[0]?.program ?? 'shell') : executed.name;
  return { kind: executed.kind, text: executed.text, name, args: {} };
}

function readPlain(unwrapped: Unwrapped, agentUsesShell: boolean, said: string): Action {
  const { language = '' } = unwrapped;
  const verb = readSqlVerb(unwrapped.text);
  if (verb !== undefined) return simple('sql', unwrapped, verb);
  if (codeLanguages.has(language) || pythonStart.test(unwrapped.text))
    return simple('code', unwrapped, language || 'python');

  const shell = shellLanguages.has(language) ? 'yes' : looksLikeShell(unwrapped.text);
  if (shell === 'yes' || (shell === 'maybe' && agentUsesShell)) {
    return simple('shell', unwrapped, readStages(unwrapped.text)[0]?.program ?? 'shell');
  }
  // A fence inside an answer to a person is part of the answer.
  return simple('reply', { text: said });
}

function simple(kind: ActionKind, { text, wrapping }: Unwrapped, name: string = kind): Action {
  return withWrapping({ kind, name, args: {}, text: headAndTail(text, headChars, tailChars) }, wrapping);
}

function bounded(action: Action): Action {
  return { ...action, text: headAndTail(action.text, headChars, tailChars) };
}

function withWrapping(action: Action, wrapping: Wrapping | undefined): Action {
  return wrapping === undefined ? action : { ...action, wrapping };
}
