import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';
import { topics } from '@whetstone/contracts';
import { openLocalEventLog } from '@whetstone/event-log';
import { dataFolder } from '@whetstone/platform';

import { freePort, type Product, projectFolder, startProduct } from '../../support/product.js';
import { type Restartable, supervise } from './supervise.js';
import { createOperatorCommand, linesWith, type System } from './system.js';

export interface StandaloneSystem extends System {
  /** The current process. */
  pid(): number;
}

export interface StandaloneSystemOptions {
  folder: string;
  env?: Record<string, string>;
}

/** The whole product in one process, in its own folder, on addresses that survive restarts. */
export async function startStandaloneSystem({ folder, env = {} }: StandaloneSystemOptions): Promise<StandaloneSystem> {
  const options = { folder, httpPort: await freePort(), opsPort: await freePort(), env };
  let product = await startProduct(options);
  const data = dataFolder(product.dataFolder);
  const server = supervise(restartable());

  return {
    name: 'standalone',
    gateways: [product.target.baseUrl],
    front: product.target.baseUrl,
    processes: [server],
    ...createOperatorCommand(commandFor(data.path)),
    pid: () => product.pid,
    poisonUploads,
    async rewind() {
      await server.hold();
      const database = new DatabaseSync(data.log);
      database.exec('UPDATE positions SET next_offset = 0');
      database.close();
      await server.restart();
    },
    async withoutAnalysis(work) {
      options.env = { ...env, WHETSTONE_ANALYSER_CONCURRENCY: '0' };
      await server.restart();
      await work();
      options.env = env;
      await server.restart();
    },
    logged: (words) => linesWith(words, product.printed()),
    stop: () => server.stop(),
  };

  function restartable(): Restartable {
    const signal = (name: NodeJS.Signals) => void process.kill(product.pid, name);
    return {
      name: 'standalone',
      get exited() {
        return product.exited;
      },
      async kill() {
        await product.kill();
      },
      async restart() {
        await endIfRunning(product);
        product = await startProduct(options);
      },
      pause: () => signal('SIGSTOP'),
      resume: () => signal('SIGCONT'),
      stop: () => endIfRunning(product),
    };
  }

  /** Writes to the log beside the running product, as a stray process would. */
  async function poisonUploads(values: readonly Uint8Array[]): Promise<number> {
    const log = await openLocalEventLog({ path: data.log, topics: Object.values(topics) });
    try {
      const events = values.flatMap((value, at) => keys.map((key) => ({ key: `cpoison${at}_${key}`, value })));
      await Promise.all(events.map((event) => log.append(topics.uploads.name, event)));
      return events.length;
    } finally {
      await log.close();
    }
  }
}

/** Spread over the partitions by their hashes; those of several values together leave none out. */
const keys = Array.from({ length: topics.uploads.partitions }, (_, index) => `${index}:0`);

function commandFor(folder: string): string {
  return `WHETSTONE_DATA='${folder}' '${process.execPath}' '${join(projectFolder, 'services/cli/bin/whetstone.mjs')}'`;
}

async function endIfRunning(product: Product): Promise<void> {
  await product.stop();
}
