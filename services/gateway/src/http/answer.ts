import type { ServerResponse } from 'node:http';

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export function sendAnswer(res: ServerResponse, { status, body, headers }: Answer): void {
  for (const name in headers) res.setHeader(name, headers[name] as string);
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify(body));
}
