import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { costlyRequests } from '../support/costly-requests.js';

/** Sends costly requests from a process of its own: it must not share an event loop with the caller who is measured. */
const [url = '', key = ''] = process.argv.slice(2);
const connections = 4;
const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-encoding': 'gzip' };
const requests = costlyRequests.map(([, path, body]) => ({ path, body: gzipSync(JSON.stringify(body)) }));

let stop = async () => {};

/** Reads which request to send from now on, `undefined` for none, and answers when it does so. */
process.on('message', async ({ attack }: { attack?: number }) => {
  await stop();
  if (attack !== undefined) start(attack);
  process.send?.('done');
});

function start(attack: number): void {
  let isOver = false;
  const { path, body } = requests[attack] as (typeof requests)[number];
  const attacking = Array.from({ length: connections }, async () => {
    while (!isOver) {
      const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      if (![200, 202, 429, 503].includes(answer.status)) throw new Error(`${path} answered ${answer.status}`);
      if (!answer.ok) await sleep(50);
    }
  });
  stop = async () => {
    isOver = true;
    await Promise.all(attacking);
  };
}

process.send?.('done');
