import {
  type Connection,
  type LastCall,
  logProblem,
  readConnection,
  userFolders,
  type Variables,
} from './user-folders.js';

/** What agents send to a hook, as far as it is used. */
export interface HookInput {
  session_id?: string;
  cwd?: string;
  prompt?: string;
  transcript_path?: string | null;
}

export async function connectionOf(env: Variables): Promise<Connection> {
  const { url, key } = await readConnection(env);
  if (!url || !key) throw new Error('no address or key: run whetstone connect, or set WHETSTONE_URL and WHETSTONE_KEY');
  return { url, key };
}

export interface Call {
  body: unknown;
  signal: AbortSignal;
  headers?: Record<string, string>;
}

/** The server answered, but not with a success. */
export class RefusedCall extends Error {
  readonly status: number;

  constructor(path: string, status: number, text: string) {
    super(`${path} answered ${status}: ${text.slice(0, 300)}`);
    this.status = status;
  }
}

/** Posts JSON; throws RefusedCall, or what fetch throws. */
export async function call({ url, key }: Connection, path: string, { body, signal, headers }: Call): Promise<unknown> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal,
  });
  const text = await answer.text();
  if (!answer.ok) throw new RefusedCall(path, answer.status, text);
  return JSON.parse(text);
}

export function lastCall(outcome: Omit<LastCall, 'at'>): string {
  return `${JSON.stringify({ at: new Date().toISOString(), ...outcome })}\n`;
}

/** What fetch hides behind "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause, message, name } = error;
  if (name === 'TimeoutError') return 'no answer in time';
  return cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code || message : message;
}

/** With the state folder out of reach, standard error is what is left. */
export async function tell(env: Variables, problem: string): Promise<void> {
  try {
    await logProblem(env, problem);
  } catch (error) {
    console.error(`whetstone: ${problem} (${userFolders(env).log} cannot be written: ${reasonOf(error)})`);
  }
}
