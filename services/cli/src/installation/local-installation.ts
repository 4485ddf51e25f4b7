import { stat } from 'node:fs/promises';

import { topics } from '@whetstone/contracts';
import { type EventLog, openLocalEventLog } from '@whetstone/event-log';
import type { Embedder, UpgradeOptions } from '@whetstone/indexer';
import {
  AppError,
  createLogger,
  type DataFolder,
  type Environment,
  isAppError,
  readOnlyPathIn,
} from '@whetstone/platform';
import { readCollectionNames } from '../collection-names.js';
import type { CliIo } from '../io.js';
import { rootsIn } from './find-data-folder.js';
import { type AppliedTopic, type Installation, type PartOpeners, useParts } from './installation.js';
import { loadPart } from './load-part.js';

const specs = Object.values(topics);
const noKnowledge =
  'This container cannot read the knowledge in a data folder: run the command in a standalone container';

/** The installation in a data folder, whether or not a server runs on it. */
export async function findLocalInstallation(folder: DataFolder, env: Environment): Promise<Installation> {
  const roots = await rootsIn(folder);
  const logger = createLogger({ service: 'cli', level: 'silent', pretty: false });
  const openLog = () => openLocalEventLog({ path: folder.log, topics: specs });
  const openStore = async (model: Embedder['model']) => {
    const { openLocalVectorStore } = await import('@whetstone/indexer');
    return openLocalVectorStore({ path: folder.knowledge, model, logger });
  };
  // Loads the indexer on demand: that takes longer than most commands.
  const openers: PartOpeners = {
    roots: async () => ({ part: roots, close: async () => {} }),
    async log() {
      const log = await openLog();
      return { part: log, close: log.close };
    },
    topics: async () => ({ part: { apply: async () => topicsOf(await openLog()) }, close: async () => {} }),
    async knowledge() {
      const { openKnowledge, readEmbedding } = await loadPart(() => import('./open-knowledge.js'), noKnowledge);
      const { part, close } = await openKnowledge(logger, readEmbedding(env), openStore);
      const collectionNames = async (io: Pick<CliIo, 'stderr'>) => {
        const log = await openLog();
        return readCollectionNames(log, roots, io).finally(log.close);
      };
      return { part: { ...part, fileBytes: () => bytesOf(folder.knowledge), collectionNames }, close };
    },
    // A data folder holds the vectors of one model.
    async reindexing() {
      const { readEmbedding } = await loadPart(() => import('./open-knowledge.js'), noKnowledge);
      const { embeddingModelOf, upgradeRows } = await import('@whetstone/indexer');
      const model = embeddingModelOf(readEmbedding(env));
      const check = async () => (await openStore(model)).close();
      const upgrade = async (options: UpgradeOptions) => {
        const store = await openStore(model);
        return upgradeRows({ store }, options).finally(() => store.close());
      };
      return { part: { target: model.name, check, sources: async () => [], upgrade }, close: async () => {} };
    },
  };
  return {
    use: (names, work) =>
      useParts(openers, names, work).catch(async (error: unknown) => {
        throw (await readOnlyError(folder, error)) ?? error;
      }),
  };
}

/** A read-only folder is an error only if the command failed: some commands just read. */
async function readOnlyError(folder: DataFolder, cause: unknown): Promise<AppError | undefined> {
  if (!isAppError(cause) || !cause.retryable) return undefined;
  const path = await readOnlyPathIn(folder);
  if (path === undefined) return undefined;
  const message = `The data folder ${folder.path} cannot be used: ${path} is read-only for this user.`;
  return new AppError('invalid_argument', `${message} Run the command as the user that owns it.`, { cause });
}

/** SQLite writes to a second file first. */
async function bytesOf(path: string): Promise<number> {
  const sizes = [path, `${path}-wal`].map((file) =>
    stat(file).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Opening a local log creates its topics. */
async function topicsOf(log: EventLog): Promise<AppliedTopic[]> {
  await log.close();
  return specs.map(({ name }) => ({ topic: name, created: false, weaknesses: [] }));
}
