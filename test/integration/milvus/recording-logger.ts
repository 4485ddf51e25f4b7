import { Writable } from 'node:stream';

import { createLogger } from '@whetstone/platform';

/** A logger whose lines a test can read. */
export function createRecordingLogger() {
  const chunks: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return {
    logger: createLogger({ service: 'test', level: 'info', pretty: false, destination }),
    text: () => chunks.join(''),
  };
}
