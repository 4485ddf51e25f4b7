import { WhetstoneError } from './whetstone-error.js';

export interface Connection {
  url: string;
  key: string | undefined;
  fetch: typeof globalThis.fetch;
}

export interface CallOptions {
  /** Gives up after this time. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface Call extends CallOptions {
  method: string;
  path: string;
  query?: Record<string, unknown> | undefined;
  /** A string is sent as it is, everything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

export const defaultTimeoutMs = 30_000;
/** Timers take longer ones for none. */
export const longestTimerMs = 2 ** 31 - 1;

/** Resolves with the JSON of a 2xx answer. Anything else is a `WhetstoneError`, including what a proxy answers on its own. */
export async function send(connection: Connection, call: Call): Promise<unknown> {
  const { timeoutMs = defaultTimeoutMs, signal, method, path } = call;
  const controller = new AbortController();
  const fail = (code: string, message: string, cause?: unknown) =>
    new WhetstoneError(`${method} ${path}: ${message}`, { code, retryable: code !== 'aborted', cause });
  let stop: () => void = () => {};
  // A race rather than the signal alone: not every fetch heeds it while it connects or reads.
  const ended = new Promise<never>((_, reject) => {
    const end = (error: WhetstoneError) => {
      reject(error);
      controller.abort(error);
    };
    const timer = setTimeout(
      () => end(fail('timeout', `no answer within ${timeoutMs} ms`)),
      Math.min(timeoutMs, longestTimerMs),
    );
    const abort = () => end(fail('aborted', 'aborted by the caller', signal?.reason));
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
  });
  const exchanged = exchange(connection, call, controller.signal).catch((error: unknown) => {
    throw error instanceof WhetstoneError ? error : fail('unreachable', reasonOf(error), error);
  });
  try {
    return await Promise.race([exchanged, ended]);
  } finally {
    stop();
  }
}

async function exchange({ url, key, fetch }: Connection, call: Call, signal: AbortSignal): Promise<unknown> {
  const { method, path, query, body, headers } = call;
  // Checked here: the error that fetch would throw quotes the key.
  if (key && !/^[!-~]+$/.test(key)) throw new Error('the key has spaces, line breaks or non-ASCII characters in it');
  const answer = await fetch(`${url}${path}${queryString(query)}`, {
    method,
    // The key is for this server alone.
    redirect: 'manual',
    headers: {
      ...(!key ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal,
  });
  const text = await answer.text();
  const parsed = parse(text);
  if (answer.ok && isObject(parsed)) return parsed;
  throw errorOf(`${method} ${path}`, answer, parsed);
}

function errorOf(operation: string, answer: Response, body: unknown): WhetstoneError {
  const { status, headers } = answer;
  const { error, message, hint, detail } = isObject(body) ? body : {};
  const details = {
    status,
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
    requestId: headers.get('x-request-id') ?? undefined,
  };
  if (status === 422 && Array.isArray(detail)) {
    const problems = detail.map(({ loc, msg }) => `${Array.isArray(loc) ? loc.join('.') : loc}: ${msg}`).join('; ');
    return new WhetstoneError(`${operation}: 422 ${problems}`, { ...details, code: 'invalid', retryable: false });
  }
  if (status >= 400 && typeof error === 'string' && typeof message === 'string') {
    const said = typeof hint === 'string' ? `${message}. ${hint}` : message;
    const retryable = status === 408 || status === 429 || status === 503 || details.retryAfterMs !== undefined;
    return new WhetstoneError(`${operation}: ${status} ${error}: ${said}`, { ...details, code: error, retryable });
  }
  // Whoever answers in place of the server may be gone in a minute; a proxy's size limit stays.
  const retryable = ![401, 403, 413].includes(status);
  const what = status >= 300 && status < 400 ? 'a redirect' : 'not an answer from Whetstone';
  return new WhetstoneError(`${operation}: ${status}, ${what}. Is something else at this address?`, {
    ...details,
    code: 'unexpected_answer',
    retryable,
  });
}

/** Seconds or a date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Undefined values are left out. */
function queryString(query: Record<string, unknown> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Error);
}

/** fetch says "fetch failed" and keeps why in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const { code, message: inner } = (isObject(cause) || cause instanceof Error ? cause : {}) as Partial<
    Record<string, unknown>
  >;
  const why = inner || code;
  // Some messages quote the address, which may have a password in it.
  return (why ? `${message} (${why})` : message).replaceAll(/\/\/[^/@\s]*@/g, '//');
}
