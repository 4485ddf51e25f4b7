import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';

import {
  type AcceptedUpload,
  type AuditEntry,
  type DataKeyEvent,
  type JobState,
  type KeyEvent,
  type Micros,
  type Scope,
  type Trust,
  topics,
  type UsageEvent,
} from '@whetstone/contracts';
import {
  decodeMessage,
  decryptUpload,
  type EventLog,
  encodeMessage,
  type LogEvent,
  openLocalEventLog,
  splitEncrypted,
} from '@whetstone/event-log';
import {
  createApiKeys,
  createDataKeyRing,
  createRootSecrets,
  type DataKeyRing,
  issueKey,
  keyOfKeyEvent,
  revokeKey,
} from '@whetstone/identity';
import { createLogger, createSystemClock, loadConfig, Registry } from '@whetstone/platform';

import { createGateway, type Gateway } from '../create-gateway.js';
import type { ActivityReader, Enhancer, JobLookup, KnowledgeRemover, LessonKeeper } from '../domain/ports.js';
import { type GatewayConfig, gatewayConfigOf, gatewayConfigSchema } from '../gateway-config.js';

export interface GatewayOptions {
  config?: Partial<GatewayConfig>;
  enhance?: Enhancer['enhance'];
  deleteByIntent?: KnowledgeRemover['deleteByIntent'];
  eraseCollection?: KnowledgeRemover['eraseCollection'];
  lessons?: Partial<LessonKeeper>;
  findDeletedRuns?: KnowledgeRemover['findDeletedRuns'];
  getJob?: JobLookup['getJob'];
  activity?: Partial<ActivityReader>;
  listRuns?: JobLookup['listRuns'];
  countRuns?: JobLookup['countRuns'];
  /** Wraps the log, to make it fail. */
  log?(log: EventLog): EventLog;
}

/** A gateway on a free port, on a real local log, with small stand-ins for the services behind it. */
export interface RunningGateway {
  gateway: Gateway;
  url: string;
  registry: Registry;
  /** Everything that was logged. */
  printed(): string;
  issueKey(
    account: string,
    more?: { trust?: Trust; scopes?: Scope[]; expiresAt?: Micros },
  ): Promise<{ key: string; keyId: string }>;
  revokeKey(keyId: string): Promise<void>;
  uploads(): Promise<{ upload: AcceptedUpload; headers: Record<string, string>; key: string; value: Uint8Array }[]>;
  dataKeyEvents(): Promise<DataKeyEvent[]>;
  auditEntries(): Promise<AuditEntry[]>;
  usageEvents(): Promise<UsageEvent[]>;
  close(): Promise<void>;
}

export const rootSecret = 'a root secret of sufficient length';
const roots = createRootSecrets(rootSecret);

export async function startGateway(options: GatewayOptions = {}): Promise<RunningGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-'));
  const local = await openLocalEventLog({
    path: join(folder, 'log.sqlite'),
    topics: Object.values(topics),
    pollMs: 10,
  });
  const log = options.log?.(local) ?? local;
  const registry = new Registry();
  const clock = createSystemClock();
  const lines: Buffer[] = [];
  const sink = new PassThrough().on('data', (line: Buffer) => lines.push(line));
  const defaults = gatewayConfigOf(loadConfig(gatewayConfigSchema, {}));
  const gateway = createGateway(
    {
      log,
      roots,
      clock,
      logger: createLogger({ service: 'gateway', level: 'debug', pretty: false, destination: sink }),
      registry,
      onCrash(error) {
        throw error;
      },
      analyser: { enhance: options.enhance ?? echo },
      indexer: {
        deleteByIntent: options.deleteByIntent ?? (async () => ({ deletedCount: 0, matches: [] })),
        eraseCollection: options.eraseCollection ?? (async () => ({ deletedCount: 0 })),
        findDeletedRuns:
          options.findDeletedRuns ?? (async ({ runs }) => ({ deleted: runs.map(() => false), lessons: [] })),
        ...noLessons,
        ...options.lessons,
      },
      status: {
        getJob: options.getJob ?? (async ({ jobId }): Promise<JobState> => ({ jobId, status: 'processing' })),
        listAudit: async () => ({ entries: [], more: false }),
        getUsage: async () => ({ lines: [], truncated: false }),
        ...options.activity,
        listRuns: options.listRuns ?? (async () => ({ runs: [] })),
        countRuns: options.countRuns ?? (async () => ({ counts: [] })),
      },
    },
    { ...defaults, port: 0, graceMs: 2000, ...options.config },
  );
  const apiKeys = createApiKeys(roots);
  await gateway.start();

  async function appendKeyEvent(event: KeyEvent): Promise<void> {
    await local.append(topics.keys.name, { key: keyOfKeyEvent(event), value: await encodeMessage(event) });
  }

  const url = `http://127.0.0.1:${gateway.address?.port}`;
  return {
    gateway,
    url,
    registry,
    printed: () => Buffer.concat(lines).toString('utf8'),
    async issueKey(account, more) {
      const { key, event } = issueKey(apiKeys, { account, approvedBy: 'test', reason: 'test', ...more }, clock.now());
      await appendKeyEvent(event);
      await keyAnswers(url, key, 200);
      return { key, keyId: event.keyId };
    },
    async revokeKey(keyId) {
      await appendKeyEvent(revokeKey({ keyId, reason: 'test', revokedAt: clock.now() }));
    },
    uploads: () => readUploads(local),
    dataKeyEvents: () => messagesOf<DataKeyEvent>(local, topics.collections.name),
    auditEntries: () => messagesOf<AuditEntry>(local, topics.audit.name),
    usageEvents: () => messagesOf<UsageEvent>(local, topics.usage.name),
    async close() {
      await gateway.stop();
      await local.close();
      await rm(folder, { recursive: true });
    },
  };
}

const echo: Enhancer['enhance'] = async ({ inputText }) => ({
  response: inputText,
  confidenceScore: 0,
  enhancementId: 'enh_test',
  recommendations: [],
  holdout: false,
});

const noLessons: LessonKeeper = {
  listLessons: async () => ({ lessons: [] }),
  getLesson: async () => ({ evidence: [], against: [], decisions: [], votes: [], notes: [] }),
  decideLesson: async () => ({}),
  deleteLesson: async () => ({ deletedCount: 0 }),
  writeLesson: async () => {
    throw new Error('no lesson');
  },
  giveFeedback: async () => ({ counted: false }),
  changeSettings: async ({ settings }) => ({ settings }),
  getOutcomes: async () => ({ recommended: { told: 0, succeeded: 0 }, holdout: { told: 0, succeeded: 0 } }),
  describeCollections: async () => ({ collections: [] }),
};

/** Resolves once the gateway has seen what was said about the key. */
export async function keyAnswers(url: string, key: string, status: number): Promise<void> {
  const isSo = async () => (await fetch(url, { headers: { 'x-api-key': key } })).status === status;
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function readUploads(log: EventLog) {
  const ring = createDataKeyRing(roots);
  for (const { value } of await readTopic(log, topics.collections.name)) ring.apply(await decodeMessage(value));
  const found: Awaited<ReturnType<RunningGateway['uploads']>> = [];
  for (const { value, headers, key } of await readTopic(log, topics.uploads.name)) {
    found.push({ upload: await readUpload(ring, value), headers, key, value });
  }
  return found;
}

/** Without its interaction if its data key is destroyed. */
async function readUpload(ring: DataKeyRing, value: Uint8Array): Promise<AcceptedUpload> {
  const sealed = splitEncrypted(value);
  if (!sealed) return decodeMessage<AcceptedUpload>(value);
  const key = ring.find(String(sealed.envelope['collectionId']), sealed.dataKeyId);
  if (!key) throw new Error('The data key of an upload is not in the log');
  return (key === 'destroyed' ? sealed.envelope : await decryptUpload(sealed, key.bytes)) as AcceptedUpload;
}

async function messagesOf<Message>(log: EventLog, topic: string): Promise<Message[]> {
  const events = await readTopic(log, topic);
  return Promise.all(events.map(({ value }) => decodeMessage<Message>(value)));
}

async function readTopic(log: EventLog, topic: string): Promise<LogEvent[]> {
  const found: LogEvent[] = [];
  const onEvents = (events: LogEvent[]) => void found.push(...events);
  const following = await log.follow({ topic, onEvents, onReset() {}, onCrash() {} });
  await following.caughtUp();
  await following.stop();
  return found;
}
