import type { Response } from 'express';

import { exchangeOf } from './exchange.js';
import { apiHeaders } from './security-headers.js';

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** All headers in one go: setting them one by one costs more than anything else an answer needs. */
export function sendAnswer(res: Response, { status, body, headers }: Answer): void {
  const text = JSON.stringify(body);
  const list = [
    'X-Request-Id',
    exchangeOf(res).requestId,
    'Content-Type',
    'application/json',
    'Content-Length',
    String(Buffer.byteLength(text)),
    ...apiHeaders,
  ];
  for (const name in headers) list.push(name, headers[name] as string);
  if (status === tooLarge && !res.req.complete && !res.shouldKeepAlive) closeWhenAllIsSent(res);
  res.writeHead(status, list);
  res.end(text);
}

const tooLarge = 413;
const patienceMs = 5_000;

/**
 * A connection that is closed while its client still sends is reset, and the reset may take the answer with it. So what still comes
 * is thrown away, for a while, and the connection closed then instead of at once.
 */
function closeWhenAllIsSent(res: Response): void {
  const { req } = res;
  const { socket } = req;
  res.shouldKeepAlive = true;
  res.removeHeader('Connection');
  const close = () => socket.destroySoon();
  const timer = setTimeout(close, patienceMs).unref();
  req.once('end', close);
  req.once('close', () => clearTimeout(timer));
  req.resume();
}
