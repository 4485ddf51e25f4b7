import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type DataKeyEvent, topics } from '@whetstone/contracts';
import { type Kafka as Broker, startKafka } from '@whetstone/deploy';
import { decodeMessage, decryptUpload, type EventLog, encodeMessage, splitEncrypted } from '@whetstone/event-log';
import { applyTopics } from '@whetstone/event-log/kafka';
import { createGateway, type Gateway, gatewayConfigOf, gatewayConfigSchema } from '@whetstone/gateway';
import {
  createApiKeys,
  createDataKeyRing,
  createRootSecrets,
  type DataKeyRing,
  issueKey,
  keyOfKeyEvent,
} from '@whetstone/identity';
import { createSystemClock, loadConfig, Registry } from '@whetstone/platform';

import { openLog, readAll, silent } from './topics.js';
import { until } from './until.js';

const roots = createRootSecrets('a root secret of these tests, long enough');
const clock = createSystemClock();

describe('the segments of Kafka', () => {
  let folder = '';
  let broker: Broker;
  let log: EventLog;
  let key = '';
  let started: { gateway: Gateway; log: EventLog }[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-segments-'));
    broker = await startKafka({ folder });
    const config = { brokers: broker.brokers };
    await applyTopics({ config, topics: Object.values(topics), logger: silent, acceptWeaker: true });
    log = await openLog(config);
    const issued = issueKey(createApiKeys(roots), { account: 'acme', approvedBy: 'test', reason: 'test' }, clock.now());
    key = issued.key;
    const value = await encodeMessage(issued.event);
    await log.append(topics.keys.name, { key: keyOfKeyEvent(issued.event), value });
  }, 180_000);
  afterEach(async () => {
    for (const { gateway, log: own } of started) {
      await gateway.stop();
      await own.close();
    }
    started = [];
  });
  afterAll(async () => {
    await log?.close();
    await broker?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** As its main does, with stand-ins for the services behind it. */
  async function startGateway({ encryptsUploads = true, viewDelayMs = 0 } = {}): Promise<string> {
    const own = await openLog({ brokers: broker.brokers });
    const follow: EventLog['follow'] = ({ onEvents, ...options }) => {
      const late: typeof onEvents = async (events, positions) => {
        await sleep(viewDelayMs);
        await onEvents(events, positions);
      };
      return own.follow({ ...options, onEvents: late });
    };
    const gateway = createGateway(
      {
        log: { append: own.append, follow, healthy: own.healthy },
        ...{ roots, clock, logger: silent, registry: new Registry() },
        onCrash(error) {
          throw error;
        },
        analyser: { enhance: () => Promise.reject(new Error('not asked')) },
        indexer: {
          deleteByIntent: () => Promise.reject(new Error('not asked')),
          eraseCollection: async () => ({ deletedCount: 0 }),
        } as unknown as Parameters<typeof createGateway>[0]['indexer'],
        status: {} as Parameters<typeof createGateway>[0]['status'],
      },
      { ...gatewayConfigOf(loadConfig(gatewayConfigSchema, {})), port: 0, encryptsUploads, keyHandoverMs: 2000 },
    );
    await gateway.start();
    started.push({ gateway, log: own });
    return `http://127.0.0.1:${gateway.address?.port}`;
  }

  async function store(url: string, tenant: string, query: string): Promise<string> {
    const answer = await fetch(`${url}/store_knowledge`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ tenant_id: tenant, query, turns: [] }),
    });
    expect(answer.status).toBe(202);
    return ((await answer.json()) as { job_id: string }).job_id;
  }

  async function erase(url: string, tenant: string): Promise<void> {
    const answer = await fetch(`${url}/collections?tenant_id=${tenant}&confirm=${tenant}`, {
      method: 'DELETE',
      headers: { 'x-api-key': key },
    });
    expect(answer.status).toBe(200);
  }

  async function keysInTheLog(): Promise<DataKeyRing> {
    const ring = createDataKeyRing(roots);
    for (const { value } of await readAll(log, topics.collections.name)) {
      ring.apply(await decodeMessage<DataKeyEvent>(value));
    }
    return ring;
  }

  /** The text of each upload by its job, or that its key is destroyed. */
  async function texts(): Promise<Map<string, string>> {
    const ring = await keysInTheLog();
    const found = new Map<string, string>();
    for (const { value } of await readAll(log, topics.uploads.name)) {
      const sealed = splitEncrypted(value);
      if (!sealed) continue;
      const dataKey = ring.find(String(sealed.envelope['collectionId']), sealed.dataKeyId);
      if (!dataKey) throw new Error('A data key is missing');
      const opened = dataKey === 'destroyed' ? dataKey : JSON.stringify(await decryptUpload(sealed, dataKey.bytes));
      found.set(String(sealed.envelope['jobId']), opened);
    }
    return found;
  }

  it('hold no text of an upload, and once its collection is erased nobody can read it', async () => {
    const plain = await startGateway({ encryptsUploads: false });
    const urls = [await startGateway(), await startGateway()];
    const [visible, hidden, kept] = ['marmalade', 'watermelon', 'gingerbread'];
    await store(plain, 'plain', visible);
    for (const url of [...urls, ...urls]) {
      await store(url, 'gone', hidden);
      await store(url, 'kept', kept);
    }
    await until('the plain text in a segment', async () => (await countIn(folder, visible)) > 0);
    expect([await countIn(folder, hidden), await countIn(folder, kept)]).toEqual([0, 0]);
    const readable = async (word: string) => [...(await texts()).values()].filter((text) => text.includes(word)).length;
    expect([await readable(hidden), await readable(kept)]).toEqual([4, 4]);

    await erase(urls[0] ?? '', 'gone');

    expect([await readable(hidden), await readable(kept)]).toEqual([0, 4]);
    expect(await countIn(folder, hidden)).toBe(0);
  });

  it('keep every upload readable that was sent after the answer to an erasure, also through a gateway that is slow to hear of it', async () => {
    const [one, other] = [await startGateway(), await startGateway({ viewDelayMs: 1200 })];
    for (let round = 0; round < 3; round++) {
      const after: string[] = [];
      let isErased = false;
      const erasing = erase(one, 'busy').then(() => {
        isErased = true;
      });
      const uploading = [one, other].map(async (url) => {
        for (let left = 20; left > 0; left -= isErased ? 1 : 0) {
          const isLater = isErased;
          const job = await store(url, 'busy', 'again and again');
          if (isLater) after.push(job);
          else await sleep(20);
        }
      });
      await Promise.all([erasing, ...uploading]);

      const found = await texts();
      expect(after.length).toBeGreaterThan(30);
      expect(after.filter((job) => !found.get(job)?.includes('again and again'))).toEqual([]);
    }
    expect([...(await texts()).values()]).toContain('destroyed');
  });
});

/** In all files below the folder. */
async function countIn(folder: string, word: string): Promise<number> {
  let count = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.log') || !entry.isFile()) continue;
    if ((await readFile(join(entry.parentPath, entry.name))).includes(word)) count++;
  }
  return count;
}
