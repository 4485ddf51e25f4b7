import { setTimeout as sleep } from 'node:timers/promises';

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
}

interface CallOptions {
  key?: string;
  headers?: Record<string, string>;
  /** A string or bytes go as they are, everything else as JSON. */
  body?: unknown;
  signal?: AbortSignal;
}

/** One request, and its answer read as JSON. */
export async function call(
  url: string,
  method: string,
  path: string,
  { key, headers, body, signal }: CallOptions = {},
): Promise<Reply> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  return { status: answer.status, headers: answer.headers, body: isJson && text !== '' ? JSON.parse(text) : text };
}

/** Asks until the answer is no longer 200, slowly enough for the limit of a key. */
export async function callUntilRefused(...asked: Parameters<typeof call>): Promise<Reply> {
  for (;;) {
    const answer = await call(...asked);
    if (answer.status !== 200) return answer;
    await sleep(20);
  }
}
