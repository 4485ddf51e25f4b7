import { stat } from 'node:fs/promises';
import { topics } from '@whetstone/contracts';
import { type EventLog, openLocalEventLog } from '@whetstone/event-log';
import { type RootSecrets, readRootSecrets } from '@whetstone/identity';
import {
  type Embedder,
  embeddingModelOf,
  openLocalVectorStore,
  type UpgradeOptions,
  upgradeRows,
} from '@whetstone/indexer';
import {
  AppError,
  createLogger,
  type DataFolder,
  dataFolder,
  type Environment,
  isAppError,
  readOnlyPathIn,
} from '@whetstone/platform';
import { type AppliedTopic, type Installation, type PartOpeners, useParts } from './installation.js';
import { openKnowledge, readEmbedding } from './open-knowledge.js';

const specs = Object.values(topics);
const remedy = 'Start the server once (npm start), or name its data folder: --data DIR or WHETSTONE_DATA=DIR';

/** The installation in a data folder, whether or not a server runs on it. */
export async function findLocalInstallation(path: string, env: Environment): Promise<Installation> {
  const folder = dataFolder(path);
  if (!(await isFolder(folder.path))) {
    throw new AppError('invalid_argument', `There is no data folder at ${folder.path}. ${remedy}`);
  }
  // For every command: a folder without a root secret is not an installation.
  const roots = await rootsIn(folder);
  const logger = createLogger({ service: 'cli', level: 'silent', pretty: false });
  const openLog = () => openLocalEventLog({ path: folder.log, topics: specs });
  const openStore = (model: Embedder['model']) => openLocalVectorStore({ path: folder.knowledge, model, logger });
  const openers: PartOpeners = {
    roots: async () => ({ part: roots, close: async () => {} }),
    async log() {
      const log = await openLog();
      return { part: log, close: log.close };
    },
    topics: async () => ({ part: { apply: async () => topicsOf(await openLog()) }, close: async () => {} }),
    knowledge: async () => openKnowledge(logger, readEmbedding(env), openStore),
    // A data folder holds the vectors of one model.
    async reindexing() {
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

/** Opening a local log creates its topics. */
async function topicsOf(log: EventLog): Promise<AppliedTopic[]> {
  await log.close();
  return specs.map(({ name }) => ({ topic: name, created: false, weaknesses: [] }));
}

async function rootsIn(folder: DataFolder): Promise<RootSecrets> {
  try {
    return await readRootSecrets(folder.rootSecret);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new AppError('invalid_argument', `${folder.path} has no root secret yet. ${remedy}`, { cause });
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
