import { type RawAnswer, rawExchange } from '../../support/raw-http.js';
import { target } from '../../support/target.js';

export interface RawRequest {
  line?: string;
  headers?: string[];
  key: string;
  body?: string | Uint8Array;
  /** Ends our side after sending. */
  end?: boolean;
}

/** One request, written byte by byte. */
export function exchange({
  line = 'POST /enhance_task HTTP/1.1',
  headers = [],
  key,
  body = '',
  end = false,
}: RawRequest) {
  const lines = [line, 'Host: test', 'Connection: close', `X-Api-Key: ${key}`, ...headers];
  return rawExchange(target().baseUrl, {
    send(write, finish) {
      write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body as string)]));
      if (end) finish();
    },
  });
}

/** Answered properly or, where it is not even HTTP, turned away (0: without a word). Never a 500, never silence. */
export function expectProper(answer: RawAnswer, ...statuses: number[]): void {
  expect(statuses).toContain(answer.status);
  if (answer.text !== '') expect(() => JSON.parse(answer.text)).not.toThrow();
}
