import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type AuditEntry, topics, type UsageEvent } from '@whetstone/contracts';
import { appendAuditEntry, appendUsage, type EventLog, openLocalEventLog } from '@whetstone/event-log';
import { createLogger, Registry } from '@whetstone/platform';

import { SqliteActivityTable } from './adapters/sqlite-activity-table.js';
import { createStatus, type StatusService } from './create-status.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const dayMicros = 86_400e6;
const now = 20_000 * dayMicros;
const none = { answers: 0, emptyAnswers: 0, uploads: 0, bytes: 0, refusals: 0 };

describe('the activity that status knows', () => {
  let folder: string;
  let log: EventLog;
  let services: StatusService[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-activity-'));
    log = await openLocalEventLog({ path: join(folder, 'log.db'), topics: Object.values(topics), pollMs: 20 });
    services = [];
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await log.close();
    await rm(folder, { recursive: true });
  });

  it('is listed newest first, page by page, for one account', async () => {
    const { api } = await started();
    for (const at of [1, 3, 2]) await appendAuditEntry(log, entry(at));
    await appendAuditEntry(log, { ...entry(4), account: 'globex' });

    const page = await api.listAudit({ account: 'acme', limit: 2 }, {});
    expect({ ...page, entries: page.entries.map(timeOf) }).toEqual({ entries: [now + 3, now + 2], more: true });
    const rest = await api.listAudit({ account: 'acme', limit: 2, before: entry(2).id }, {});
    expect({ ...rest, entries: rest.entries.map(timeOf) }).toEqual({ entries: [now + 1], more: false });
    expect((await api.listAudit({ account: 'nobody', limit: 2 }, {})).entries).toEqual([]);
  });

  it('tells how an action ended, in whatever order its records arrive', async () => {
    const { api } = await started();
    await appendAuditEntry(log, entry(1));
    await appendAuditEntry(log, { ...entry(1), outcome: 'done' });
    await appendAuditEntry(log, { ...entry(2), outcome: 'failed' });
    await appendAuditEntry(log, entry(2));

    const { entries } = await api.listAudit({ account: 'acme', limit: 9 }, {});

    expect(entries.map((json) => (JSON.parse(json) as AuditEntry).outcome)).toEqual(['failed', 'done']);
  });

  it('sums up what several processes counted, and counts no report twice', async () => {
    const { api } = await started();
    await appendUsage(log, usage('p', 20_000, { answers: 1 }));
    await appendUsage(log, usage('p', 20_000, { answers: 3, bytes: 10 }));
    await appendUsage(log, usage('q', 20_000, { answers: 4, uploads: 1 }));
    await appendUsage(log, usage('q', 19_999, { refusals: 2 }));
    await appendUsage(log, usage('q', 19_000, { refusals: 2 }));
    await appendUsage(log, {
      ...usage('q', 20_000, {}),
      keys: [{ ...none, account: 'globex', keyId: 'g', answers: 9 }],
    });

    expect(await api.getUsage({ account: 'acme', fromDay: 19_999 }, {})).toEqual({
      lines: [
        { ...none, day: 20_000, keyId: 'k', answers: 7, uploads: 1, bytes: 10 },
        { ...none, day: 19_999, keyId: 'k', refusals: 2 },
      ],
      truncated: false,
    });
  });

  it('goes on after a restart, and is read again if the file is broken', async () => {
    await appendAuditEntry(log, entry(1));
    await appendUsage(log, usage('p', 20_000, { answers: 1 }));
    const ask = async ({ api }: StatusService) => [
      (await api.listAudit({ account: 'acme', limit: 9 }, {})).entries.length,
      (await api.getUsage({ account: 'acme', fromDay: 0 }, {})).lines.length,
    ];
    const first = await started();
    expect(await ask(first)).toEqual([1, 1]);
    await first.stop();
    await appendAuditEntry(log, entry(2));
    const second = await started();
    expect(await ask(second)).toEqual([2, 1]);
    await second.stop();
    await writeFile(join(folder, 'activity.db'), 'this is no database '.repeat(500));

    expect(await ask(await started())).toEqual([2, 1]);
  });

  it('skips what it cannot read', async () => {
    const { api } = await started();
    for (const value of ['no json', 'null', '{"id":1}']) {
      await log.append(topics.audit.name, { key: 'acme', value: Buffer.from(value) });
    }
    await appendAuditEntry(log, entry(1));

    expect((await api.listAudit({ account: 'acme', limit: 9 }, {})).entries).toHaveLength(1);
  });

  it.each([
    ['null', null],
    ['without an account', { ...none, keyId: 'k' }],
    ['without a key', { ...none, account: 'acme' }],
    ['without a count', { account: 'acme', keyId: 'k', answers: 1 }],
    ['with a count that is no whole number', { ...none, account: 'acme', keyId: 'k', bytes: 0.5 }],
    ['with a count in words', { ...none, account: 'acme', keyId: 'k', uploads: '1' }],
  ])('skips a report of usage with a key %s', async (_, malformed) => {
    const { api } = await started();
    const [key] = usage('p', 20_000, { answers: 5 }).keys;
    const event = { process: 'p', day: 20_000, part: 0, keys: [key, malformed] };
    await log.append(topics.usage.name, { key: 'p:20000:0', value: Buffer.from(JSON.stringify(event)) });
    await appendUsage(log, usage('q', 20_000, { answers: 2 }));

    expect((await api.getUsage({ account: 'acme', fromDay: 20_000 }, {})).lines).toMatchObject([{ answers: 2 }]);
  });

  it('drops what is too old, and of an account what is too much', () => {
    const table = new SqliteActivityTable(join(folder, 'limited.db'), { auditEntries: 3 });
    const year = 365 * dayMicros;
    table.applyAudit(
      [
        entry(-year - 1),
        entry(-year + 1),
        { ...entry(-year - 1), account: 'globex' },
        { ...entry(0), account: 'globex' },
      ],
      [1],
    );
    table.applyUsage([usage('p', 20_000 - 90, { answers: 1 }), usage('p', 20_000 - 89, { answers: 1 })], [1]);
    while (table.purge(now));
    const kept = (account: string) => table.entries({ account, limit: 99 }).map(timeOf);

    expect([kept('acme'), kept('globex')]).toEqual([[now - year + 1], [now]]);
    expect(table.usage('acme', 0, 9).map(({ day }) => day)).toEqual([20_000 - 89]);

    table.applyAudit(
      Array.from({ length: 1200 }, (_, at) => entry(at)),
      [2],
    );
    while (table.purge(now));
    expect([kept('acme'), kept('globex')]).toEqual([[now + 1199, now + 1198, now + 1197], [now]]);
    table.close();
  });

  async function started(): Promise<StatusService> {
    const onCrash = (error: Error) => {
      throw error;
    };
    const config = {
      databasePath: join(folder, 'status.db'),
      activityPath: join(folder, 'activity.db'),
      catchUpTimeoutMs: 60_000,
    };
    const service = createStatus({ log, clock: { now: () => now }, logger, registry: new Registry(), onCrash }, config);
    services.push(service);
    await service.start();
    return service;
  }
});

function entry(after: number): AuditEntry {
  const at = now + after;
  const id = `${String(at).padStart(17, '0')}-00000000`;
  return { id, account: 'acme', at, keyId: 'k', action: 'key.revoked', subject: 's', details: {} };
}

function usage(process: string, day: number, counts: Partial<typeof none>): UsageEvent {
  return { process, day, part: 0, keys: [{ ...none, account: 'acme', keyId: 'k', ...counts }] };
}

function timeOf(json: string): number {
  return (JSON.parse(json) as AuditEntry).at;
}
