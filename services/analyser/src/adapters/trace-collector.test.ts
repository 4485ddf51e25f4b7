import { hash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AcceptedUpload, type DataKeyEvent, type Interaction, type Micros, topics } from '@whetstone/contracts';
import {
  decodeMessage,
  decryptUpload,
  encodeMessage,
  type LogEvent,
  splitEncrypted,
  toSpansLogEvent,
} from '@whetstone/event-log';
import { createDataKey, createDataKeyRing, createJobIds, type DataKey, keyOfDataKeyEvent } from '@whetstone/identity';
import { AppError, Registry } from '@whetstone/platform';
import { randomNumbers } from '@whetstone/platform/test-kit';
import type { RunSpan } from '@whetstone/traces';

import type { AnalyserConfig } from '../analyser-config.js';
import { type LogSite, openLogSite } from '../test-kit/index.js';
import { testRoots } from '../test-kit/uploads.js';

const jobIds = createJobIds(testRoots);
const owner = { account: 'acme', collectionId: 'a1_ops' };
const noon = Date.parse('2026-03-05T12:00:00Z') * 1000;
const dayMicros = 24 * 60 * 60 * 1_000_000;
const hour = dayMicros / 24;

let site: LogSite;
let uploads: AcceptedUpload[];

beforeEach(async () => {
  site = await openLogSite();
  uploads = [];
  await site.log.follow({
    topic: topics.uploads.name,
    onEvents: async (events) => void uploads.push(...(await Promise.all(events.map(readUpload)))),
    onReset() {},
    onCrash() {},
  });
});
afterEach(() => site.close());

/** Encrypted ones are read where they are expected. */
const readUpload = async ({ value }: LogEvent) =>
  splitEncrypted(value) ? ({} as AcceptedUpload) : decodeMessage<AcceptedUpload>(value);
const decisionsOf = ({ turns }: Interaction) => turns.map(({ decision }) => decision);

describe('the spans of a trace', () => {
  it('become one upload, in whatever order and however often they come', async () => {
    const random = randomNumbers(5);
    const traces = ['a', 'b', 'c'].map((name) => ({ name, spans: traceOf(name, 6) }));
    const batches = traces
      .flatMap(({ name, spans }) => [...spans, ...spans].map((span) => ({ name, span, at: random() })))
      .sort((a, b) => a.at - b.at);
    await start({ traces: { waitMs: 1000, idleMs: 60_000, maxBytes: 1e6 } });
    await Promise.all(batches.map(({ name, span }) => send(name, [span])));

    await until(() => uploads.length >= 3);
    await sleep(1500);

    expect(uploads).toHaveLength(3);
    for (const { interaction } of uploads) {
      expect(interaction.turns).toHaveLength(5);
      expect(new Set(decisionsOf(interaction)).size).toBe(5);
    }
    expect(uploads.map(({ interaction }) => interaction.query).sort()).toEqual(['Task a', 'Task b', 'Task c']);
  });

  it('wait for the root, and not for ever', async () => {
    const [root, ...steps] = traceOf('a', 4) as [RunSpan, ...RunSpan[]];
    await start({ traces: { waitMs: 50, idleMs: 1500, maxBytes: 1e6 } });
    await send('a', steps);
    await send('b', traceOf('b', 3).slice(1));
    await sleep(600);
    expect(uploads).toEqual([]);

    await send('a', [root]);
    await until(() => uploads.length === 1);
    expect(uploads[0]?.interaction.turns).toHaveLength(3);
    // Without the root nobody says what the task was.
    await until(async () => (await metric('nothing')) === 1);
  });

  it('survive the analyser, which goes on where they begin', async () => {
    const [root, ...steps] = traceOf('a', 9) as [RunSpan, ...RunSpan[]];
    const slow = { traces: { waitMs: 300, idleMs: 60_000, maxBytes: 1e6 } };
    for (const step of steps) {
      const analyser = await start(slow);
      await send('a', [step]);
      await send('other', traceOf('other', 2));
      await sleep(40);
      await analyser.stop();
    }
    await start(slow);
    await send('a', [root]);

    await until(() => uploads.some(({ interaction }) => interaction.query === 'Task a'));
    await sleep(400);
    const [whole, ...more] = uploads.filter(({ interaction }) => interaction.query === 'Task a');
    expect(whole?.interaction.turns).toHaveLength(8);
    expect(more).toEqual([]);
    expect(new Set(uploads.map(({ jobId }) => jobId)).size).toBe(2);
  });

  it('are the same job when they come again, and nothing is learnt twice', async () => {
    const analyser = await start();
    await send('a', traceOf('a', 3));
    await until(() => uploads.length === 1);
    await site.allEnded(uploads);
    await send('a', traceOf('a', 3));
    await until(async () => (await metric('late')) === 1);
    await analyser.stop();
    await start();
    await send('a', traceOf('a', 2));
    await until(() => uploads.length === 2);
    await sleep(100);

    const [first, second] = uploads.map(({ jobId }) => jobId);
    expect(second).toBe(first);
    expect(site.jobs.events.filter(({ status }) => status === 'completed')).toHaveLength(1);
  });

  it('are the same job when some of them come after midnight, without the root', async () => {
    const late = noon + 11 * hour;
    const analyser = await start();
    await send('a', traceOf('a', 3, late));
    await until(() => uploads.length === 1);
    await site.allEnded(uploads);
    await analyser.stop();
    await start();
    const [, step] = traceOf('a', 2, late + 2 * hour) as [RunSpan, RunSpan];
    await send('a', [{ ...step, task: 'Task a' }]);

    await until(async () => (await metric('known')) === 1);
    expect(uploads).toHaveLength(1);
  });

  it('are closed early when they take too much memory, of the account that holds most', async () => {
    await start({ traces: { waitMs: 100, idleMs: 60_000, maxBytes: 20_000 } });
    const steps = (name: string, chars: number) =>
      traceOf(name, 3)
        .slice(1)
        .map((span) => ({ ...span, task: `Task ${name}`, output: randomBytes(chars).toString('hex') }));
    await send('small', steps('small', 10), { collectionId: 'b2_ops' });
    await send('large', steps('large', 15_000));

    await until(() => uploads.length === 1);
    expect(uploads[0]?.interaction.query).toBe('Task large');
    expect(await metric('cut')).toBe(1);
  });

  it('are left out if they cannot be read', async () => {
    await start();
    const { key, headers } = await eventOf('a', traceOf('a', 2), {});
    await site.log.append(topics.spans.name, { key, value: Buffer.from('damaged'), headers: headers ?? {} });
    await send('a', traceOf('a', 3));

    await until(() => uploads.length === 1);
    expect(uploads[0]?.interaction.turns).toHaveLength(2);
    expect(site.crashes).toEqual([]);
  });
});

it.each([
  ['null', 'null'],
  ['no spans', '{"jobId":"x","interaction":{}}'],
  ['spans of another shape', '{"jobId":"x","interaction":{"spans":[1]}}'],
])('a message that is %s stops nobody', async (_, message) => {
  await start();
  const { key, headers } = await eventOf('bad', traceOf('bad', 2), {});
  await site.log.append(topics.spans.name, { key, value: Buffer.from(message), headers: headers ?? {} });
  await send('good', traceOf('good', 2));

  await until(() => uploads.length === 1);
  await until(async () => (await metric('unreadable')) === 1);
  expect(site.crashes).toEqual([]);
});

it('a status that does not answer in time is asked again', async () => {
  let asked = 0;
  registry = new Registry();
  const jobs = {
    getJob: (...call: Parameters<typeof site.jobs.getJob>) =>
      ++asked === 1 ? Promise.reject(new AppError('deadline_exceeded', 'too slow')) : site.jobs.getJob(...call),
  };
  await site.startAnalyser({ registry, jobs }, { traces: { waitMs: 50, idleMs: 100, maxBytes: 1e6 } });
  const [, step] = traceOf('a', 2) as [RunSpan, RunSpan];
  await send('a', [{ ...step, task: 'Task a' }]);

  await until(() => uploads.length === 1);
  expect(asked).toBeGreaterThan(1);
  expect(site.crashes).toEqual([]);
});

describe('spans that are encrypted', () => {
  it('become an upload that is encrypted with their key', async () => {
    const { event, dataKey } = await openCollection();
    await start();
    await append(event);
    let message: Uint8Array | undefined;
    await site.log.follow({
      topic: topics.uploads.name,
      onEvents: ([first]) => {
        message = first?.value;
      },
      onReset() {},
      onCrash() {},
    });
    await send('a', traceOf('a', 3), { dataKey });

    await until(() => message !== undefined);
    const sealed = splitEncrypted(message as Uint8Array);
    expect(sealed?.dataKeyId).toBe(dataKey.id);
    const upload = (await decryptUpload(sealed as NonNullable<typeof sealed>, dataKey.bytes)) as AcceptedUpload;
    expect(upload.interaction.turns).toHaveLength(2);
  });

  it('become nothing once the key is destroyed', async () => {
    const { event, dataKey } = await openCollection();
    await append(event);
    await append({ type: 'destroyed', collectionId: owner.collectionId, dataKeyId: dataKey.id, destroyedAt: noon });
    await start();
    await send('a', traceOf('a', 3), { dataKey });

    await until(async () => (await metric('erased')) === 1);
    expect(uploads).toEqual([]);
  });

  async function openCollection(): Promise<{ event: DataKeyEvent; dataKey: DataKey }> {
    const event = createDataKey(testRoots, owner.collectionId, noon, 'ops');
    const ring = createDataKeyRing(testRoots);
    ring.apply(event);
    return { event, dataKey: ring.active(owner.collectionId) as DataKey };
  }

  async function append(event: DataKeyEvent): Promise<void> {
    await site.log.append(topics.collections.name, {
      key: keyOfDataKeyEvent(event),
      value: await encodeMessage(event),
    });
  }
});

let registry: Registry;

function start(config: Partial<AnalyserConfig> = {}) {
  registry = new Registry();
  return site.startAnalyser({ registry }, config);
}

/** Of the analyser that was started last. */
async function metric(outcome: string): Promise<number> {
  const [, count] =
    new RegExp(`^whetstone_traces_total{outcome="${outcome}"} (\\d+)$`, 'm').exec(await registry.metrics()) ?? [];
  return Number(count);
}

/** A root that says the task, and steps. */
function traceOf(name: string, spans: number, start: Micros = noon): RunSpan[] {
  return Array.from({ length: spans }, (_, at) => ({
    id: `${name}${at}`,
    ...(at > 0 && { parent: `${name}0` }),
    start: start + at,
    end: start + at + 1,
    ...(at === 0
      ? { kind: 'agent' as const, task: `Task ${name}` }
      : { kind: 'tool' as const, name: 'run', input: JSON.stringify({ command: `ls ${at}` }), output: 'done' }),
  }));
}

interface Sending {
  collectionId?: string;
  dataKey?: DataKey;
}

async function send(name: string, spans: RunSpan[], sending: Sending = {}): Promise<void> {
  await site.log.append(topics.spans.name, await eventOf(name, spans, sending));
}

function eventOf(name: string, spans: RunSpan[], { collectionId = owner.collectionId, dataKey }: Sending) {
  const bodyDigest = hash('sha256', name, 'hex');
  const jobOn = (day: Micros) => jobIds.issue({ ...owner, collectionId }, day, { key: 'trace', bodyDigest });
  const begun = Math.min(...spans.map((span) => span.start));
  const interaction = new TextEncoder().encode(JSON.stringify({ spans }));
  const upload = {
    jobId: jobOn(begun),
    collectionId,
    keyId: 'k',
    acceptedAt: Date.now() * 1000,
    bodyDigest,
    interaction,
  };
  const hasRoot = spans.some(({ parent }) => parent === undefined);
  return toSpansLogEvent(upload, { traceId: name, hasRoot, earlierJobId: jobOn(begun - dayMicros) }, dataKey);
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}
