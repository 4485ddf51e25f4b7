import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { createAccounts } from '../support/accounts.js';
import { costlyRequests } from '../support/costly-requests.js';
import { type Contender, startContender } from './contenders.js';
import { type Asker, createAsker } from './load.js';
import { type Figure, median, percentile } from './report.js';

const connections = 4;
/** Quiet and attacked in turn, often: other load on the machine comes and goes. */
const rounds = 10;
const roundMs = 1500;

/** What another caller notices of four connections that attack, with the limits as they are by default. */
export async function benchAttack(): Promise<Figure[]> {
  const server = await startContender({
    WHETSTONE_RATE_LIMIT_PER_SECOND: '200',
    WHETSTONE_WORK_LIMIT_BYTES_PER_SECOND: String(32 * 1024 * 1024),
  });
  const attacker = await createAccounts(server.product.target).open('attacker');
  const asker = createAsker(server.url, server.key);
  try {
    await waitsOf(asker);
    const figures: Figure[] = [];
    for (const [name, path, given] of costlyRequests) {
      const body = gzipSync(JSON.stringify(given));
      const quiet: number[] = [];
      const attacked: number[] = [];
      for (let round = 0; round < rounds; round++) {
        quiet.push(...(await waitsOf(asker)));
        const attack = startAttack({ ...server, key: attacker.key }, path, body);
        attacked.push(...(await waitsOf(asker)));
        await attack.stop();
      }
      const of = `GET / of another caller beside ${name}`;
      figures.push(
        { name: `${of}, median`, value: median(attacked), baseline: median(quiet), unit: 'ms' },
        {
          name: `${of}, p99`,
          value: percentile(attacked, 0.99),
          baseline: percentile(quiet, 0.99),
          unit: 'ms',
          goal: '≤ 3×',
        },
      );
    }
    return figures;
  } finally {
    asker.close();
    await server.end();
  }
}

/** How long each of its requests takes, one after the other. */
async function waitsOf(asker: Asker): Promise<number[]> {
  const waits: number[] = [];
  for (const end = performance.now() + roundMs; performance.now() < end; ) {
    const began = performance.now();
    await asker.send('GET', '/');
    waits.push(performance.now() - began);
    await sleep(5);
  }
  return waits;
}

function startAttack({ url, key }: Contender, path: string, body: Uint8Array) {
  let isOver = false;
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const attacking = Array.from({ length: connections }, async () => {
    while (!isOver) {
      const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      if (![200, 202, 429, 503].includes(answer.status)) throw new Error(`${path} answered ${answer.status}`);
      if (!answer.ok) await sleep(50);
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(attacking);
    },
  };
}
