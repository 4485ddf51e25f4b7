import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type AcceptedUpload, type DeadLetter, type KeyEvent, topics } from '@whetstone/contracts';
import { encodeMessage, uploadKeyOf } from '@whetstone/event-log';
import { createApiKeys, createKeyRing, createRootSecrets } from '@whetstone/identity';
import { aCollection, createDirectionEmbedder } from '@whetstone/indexer/conformance';

import { type WhetstoneCommand, whetstoneCommand } from '../../support/whetstone-command.js';
import { type OperatedEngines, startOperatedEngines } from './operated-engines.js';

const rootSecret = 'r'.repeat(40);
const topicNames = Object.values(topics).map(({ name }) => name);

let engines: OperatedEngines;
let whetstone: WhetstoneCommand;

beforeAll(async () => {
  engines = await startOperatedEngines();
  whetstone = whetstoneCommand({ ...engines.settings, WHETSTONE_ROOT_SECRET: rootSecret });
});
afterAll(() => engines?.destroy());

describe('topics', () => {
  it('are missed by whoever needs them, and said how to make', async () => {
    expect(await whetstone.run('keys', 'list')).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('"whetstone topics apply" makes it'),
    });
  });

  it('are not made weaker than production needs, unless that is accepted', async () => {
    expect(await whetstone.run('topics', 'apply')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot hold 3 copies(.|\n)*topics.acceptWeaker(.|\n)*--accept-weaker/),
    });
    expect((await whetstone.run('keys', 'list')).code).toBe(3);

    expect(await whetstone.ask('topics', 'apply', '--accept-weaker')).toEqual({
      topics: topicNames.map((topic) => ({ topic, created: true, weaknesses: [] })),
    });
    const again = await whetstone.run('topics', 'apply', '--accept-weaker');
    expect(again.stdout).toMatch(/^whetstone\.uploads\.v1 exists\n {2}weaker: the replication factor is 1 /);
    expect(await whetstone.run('topics', 'apply')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('whetstone.keys.v1: the replication factor is 1 and should be at least 3'),
    });
  });
});

describe('keys', () => {
  it('count in what follows the log, from when they are issued until they are revoked', async () => {
    const ring = createKeyRing(createApiKeys(createRootSecrets(rootSecret)));
    await engines.follow<KeyEvent>(
      topics.keys.name,
      (event) => ring.apply(event),
      async (following) => {
        const old = await issue('acme');
        const fresh = await whetstone.ask<IssuedKey>(
          'keys',
          'rotate',
          '--key-id',
          old.key_id,
          ...audit,
          '--overlap',
          '7d',
        );
        await following.catchUp(old.key_id);
        expect(accountOf(old.key)).toBe('acme');
        expect(accountOf(fresh.key)).toBe('acme');

        await whetstone.ask('keys', 'revoke', '--key-id', old.key_id, '--reason', 'left');
        await following.catchUp(old.key_id);
        expect(accountOf(old.key)).toBeUndefined();
        expect(accountOf(fresh.key)).toBe('acme');

        const { keys } = await whetstone.ask<{ keys: object[] }>('keys', 'list', '--account', 'acme');
        expect(keys).toEqual([
          expect.objectContaining({ key_id: old.key_id, status: 'revoked', revocation_reason: 'left' }),
          expect.objectContaining({ key_id: fresh.key_id, status: 'active' }),
        ]);
      },
    );

    function accountOf(key: string): string | undefined {
      return ring.authenticate(key, Date.now() * 1000)?.account;
    }
  });
});

describe('dead letters', () => {
  it('are listed, and replayed as uploads', async () => {
    const letters = ['job_1', 'job_2'].map(letterOf);
    await engines.withLog(async (log) => {
      for (const letter of letters) {
        const key = uploadKeyOf('c1', letter.upload.jobId);
        await log.append(topics.deadLetters.name, { key, value: await encodeMessage(letter, { gzip: true }) });
      }
    });

    const { dead_letters: listed } = await whetstone.ask<{ dead_letters: object[] }>('dead-letters', 'list');
    expect(listed).toEqual([
      expect.objectContaining({ job_id: 'job_1', collection_id: 'c1', reason: 'analysis_failed' }),
      expect.objectContaining({ job_id: 'job_2' }),
    ]);
    expect(await whetstone.ask('dead-letters', 'replay', '--job', 'job_2')).toEqual({
      replayed: ['job_2'],
      skipped: [],
    });

    const uploads: AcceptedUpload[] = [];
    await engines.follow<AcceptedUpload>(topics.uploads.name, (upload) => uploads.push(upload));
    expect(uploads).toEqual([{ ...letters[1]?.upload, replayedAt: expect.any(Number) }]);
  });
});

describe('knowledge', () => {
  it('moves from Milvus to a data folder and back, to the last bit, votes included', async () => {
    await engines.learn({ one: 'delete old log files', two: 'resize an image' });
    await engines.cite('one');
    const local = whetstoneCommand({ WHETSTONE_DATA: await engines.dataFolder() });
    const stored = { rows: 8, stored: 8, embedded_again: 0 };
    const [cluster, here, again] = ['cluster', 'here', 'again'].map((name) => join(engines.folder, `${name}.jsonl`));

    await whetstone.ask('knowledge', 'export', '--out', cluster!);
    expect(await local.ask('knowledge', 'import', cluster!)).toMatchObject(stored);
    await local.ask('knowledge', 'export', '--out', here!);
    await engines.forget();
    expect(await whetstone.ask('knowledge', 'import', here!)).toMatchObject(stored);
    await whetstone.ask('knowledge', 'export', '--out', again!);

    const [before, between, after] = await Promise.all([cluster!, here!, again!].map((path) => readFile(path, 'utf8')));
    expect(before?.trimEnd().split('\n')).toHaveLength(8);
    expect(between).toBe(before);
    expect(after).toBe(before);
    for (const installation of [whetstone, local]) {
      expect(await installation.ask('uplift')).toMatchObject({
        verdict: 'no_comparison',
        arms: { recommended: { told: 1, succeeded: 1 }, holdout: { told: 0 } },
      });
    }
  });
});

describe('reindex', () => {
  const old = createDirectionEmbedder({ name: 'former/model', dimension: 32 });
  const from = 'former/model, 32 dimensions, 2 shards';
  const to = 'all-MiniLM-L6-v2-int8, 384 dimensions, 2 shards';

  it('brings what another model has embedded, once, and removes the old shards where it is told to', async () => {
    await engines.learn({ three: 'north' }, old);

    const brought = { from, to, copied: 3, upgraded: 0, withdrawn: 0, markers: 0, settled: true, removed: false };
    expect(await whetstone.ask('reindex')).toEqual(brought);
    expect(await whetstone.ask('reindex', '--from', 'former/model')).toEqual({ ...brought, copied: 0 });
    expect(await exported(aCollection('three'))).toMatch(/(.*"model":"all-MiniLM-L6-v2-int8","dimension":384.*\n){3}/);

    expect(await whetstone.run('reindex', '--from', 'another')).toMatchObject({
      code: 1,
      stderr: `There is no knowledge of another. Choose one:\n  --from '${from}'\n`,
    });
    expect(await whetstone.run('reindex', '--remove-old')).toMatchObject({
      code: 0,
      stdout: `0 rows copied from ${from} to ${to}.\nNothing is left to copy.\nThe old shards are deleted.\n`,
    });
    expect(await whetstone.ask('reindex')).toEqual({ from: null, to, upgraded: 0 });
  });

  it('brings everything to another number of shards, as it is', async () => {
    const before = await exported();
    const spread = whetstoneCommand({ ...engines.settings, WHETSTONE_MILVUS_SHARDS: '3' });
    expect(await spread.run('knowledge', 'export')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('whetstone reindex'),
    });

    expect(await spread.ask('reindex')).toMatchObject({ from: to, copied: 11, settled: true });
    expect((await spread.run('knowledge', 'export')).stdout).toBe(before);
    expect(await exported()).toBe(before);
  });

  async function exported(...collection: string[]): Promise<string> {
    return (await whetstone.run('knowledge', 'export', ...collection.flatMap((id) => ['--collection', id]))).stdout;
  }
});

describe('an engine that does not answer', () => {
  it('is told where it is Kafka, and found again when it is back', async () => {
    engines.kafka.pause();
    try {
      const told = { code: 3, stdout: '', stderr: `Kafka at ${engines.kafka.brokers[0]} does not answer\n` };
      expect(await Promise.all([whetstone.run('keys', 'list'), whetstone.run('topics', 'apply')])).toEqual([
        told,
        told,
      ]);
    } finally {
      engines.kafka.resume();
    }
    expect((await whetstone.run('keys', 'list')).code).toBe(0);
  });

  it('is told where it is Milvus, and found again when it is back', async () => {
    await engines.milvus.kill();
    const told = { code: 3, stdout: '', stderr: `Milvus at ${engines.milvus.address} does not answer\n` };
    expect(await Promise.all([whetstone.run('knowledge', 'export'), whetstone.run('reindex')])).toEqual([told, told]);

    await engines.milvus.restart();
    expect((await whetstone.run('knowledge', 'export')).code).toBe(0);
  });
});

interface IssuedKey {
  key: string;
  key_id: string;
}

const audit = ['--approved-by', 'Ada', '--reason', 'a test'];

function issue(account: string): Promise<IssuedKey> {
  return whetstone.ask('keys', 'issue', '--account', account, ...audit);
}

function letterOf(jobId: string, index: number): DeadLetter & { upload: AcceptedUpload } {
  const acceptedAt = (Date.now() - 60_000) * 1000;
  const upload = { jobId, collectionId: 'c1', keyId: 'k', acceptedAt, bodyDigest: 'd' };
  const interaction = { query: 'q', turns: [] };
  return { upload: { ...upload, interaction }, reason: 'analysis_failed', detail: 'd', tries: 3, failedAt: 1 + index };
}
