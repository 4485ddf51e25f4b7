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
  res.writeHead(status, list);
  res.end(text);
}
