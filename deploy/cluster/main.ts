import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AppError, createLogger, runProcess } from '@whetstone/platform';

import { missingPrerequisites } from '../engines/fetch-engines.js';
import { announceCluster } from './announce-cluster.js';
import { startCluster } from './start-cluster.js';

const logger = createLogger({ service: 'cluster', level: 'info', pretty: true });

runProcess({
  graceMs: 120_000,
  logger,
  async start(running) {
    const missing = await missingPrerequisites();
    if (missing !== undefined) throw new AppError('invalid_argument', missing);
    const folder = await mkdtemp(join(tmpdir(), 'whetstone-cluster-'));
    running.onStop({ name: 'folder', timeoutMs: 30_000, stop: () => rm(folder, { recursive: true, force: true }) });
    const cluster = await startCluster({
      folder,
      say: (line) => console.log(line),
      onUnexpectedEnd: ({ name, exit, lastLines }) => {
        logger.error(`${name} has ended (${exit.code ?? exit.signal}). It printed last:\n${lastLines}`);
      },
    }).catch((cause: Error) => {
      // The message ends with what the process printed; a stack would hide it.
      throw new AppError('invalid_argument', cause.message, { cause });
    });
    running.onStop({ name: 'cluster', timeoutMs: 110_000, stop: cluster.stop });
    const { key } = await cluster.operator.issueKey('default');
    console.log(announceCluster(cluster, key));
  },
});
