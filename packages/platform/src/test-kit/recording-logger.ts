import { Writable } from 'node:stream';

import { createLogger } from '../logger.js';

/** A logger whose lines a test can read. */
export function createRecordingLogger({ pretty = false }: { pretty?: boolean } = {}) {
  const chunks: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return {
    logger: createLogger({ service: 'test', level: 'debug', pretty, destination }),
    text: () => chunks.join(''),
    lines: () => chunks.map((chunk) => JSON.parse(chunk) as Record<string, unknown>),
  };
}
