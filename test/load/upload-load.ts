import { randomInt } from 'node:crypto';

import autocannon from 'autocannon';

import { sampleUpload } from './sample-upload.js';

export interface Uploading {
  url: string;
  key: string;
  connections: number;
  seconds: number;
}

/** Uploads of five turns and 4 KB over open connections, each of another task, and how many were accepted in a second. */
export async function uploadsPerSecond({ url, key, connections, seconds }: Uploading): Promise<number> {
  let number = randomInt(100_000_000);
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        path: '/store_knowledge',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        setupRequest: (request) => ({ ...request, body: sampleUpload(number++) }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers were no 2xx, ${result.errors} requests failed`);
  }
  return result['2xx'] / result.duration;
}
