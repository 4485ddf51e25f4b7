import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { createAccounts } from '../support/accounts.js';
import { costlyRequests } from '../support/costly-requests.js';
import { type Contender, startContender } from './contenders.js';
import { type Asker, createAsker } from './load.js';
import { type Figure, median, percentile } from './report.js';

/** Quiet and attacked in turn, often: other load on the machine comes and goes. */
const rounds = 10;
const roundMs = 1500;

/** What another caller notices of four connections that attack, with the limits as they are by default. */
export async function benchAttack(): Promise<Figure[]> {
  const server = await startContender({
    WHETSTONE_RATE_LIMIT_PER_SECOND: '200',
    WHETSTONE_WORK_LIMIT_BYTES_PER_SECOND: String(32 * 1024 * 1024),
  });
  const { key } = await createAccounts(server.product.target).open('attacker');
  const attacker = await startAttacker({ url: server.url, key });
  const asker = createAsker(server.url, server.key);
  try {
    await waitsOf(asker);
    const figures: Figure[] = [];
    for (const [attack, [name]] of costlyRequests.entries()) {
      const quiet: number[] = [];
      const attacked: number[] = [];
      for (let round = 0; round < rounds; round++) {
        quiet.push(...(await waitsOf(asker)));
        await attacker.send(attack);
        attacked.push(...(await waitsOf(asker)));
        await attacker.send();
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
    attacker.end();
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

/** Resolves when the attacker is ready. */
async function startAttacker({ url, key }: Pick<Contender, 'url' | 'key'>) {
  const child = fork(fileURLToPath(new URL('./attacker.js', import.meta.url)), [url, key]);
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`The attacker ended with ${code}`)));
  ended.catch(() => {}); // It also ends when it is told to.
  const done = () => Promise.race([once(child, 'message'), ended]);
  await done();
  return {
    async send(attack?: number) {
      child.send({ attack });
      await done();
    },
    end: () => child.kill(),
  };
}
