import { setTimeout as sleep } from 'node:timers/promises';

import { unique } from '../../support/accounts.js';
import { eventually, inParallel } from '../../support/eventually.js';
import type { Randomness } from '../../support/randomness.js';
import { lessons } from '../../support/uploads.js';
import type { Place, Topic } from '../evidence.js';
import type { Caller } from './caller.js';
import { type History, newTag } from './history.js';
import { probe } from './probing.js';
import { ask, createUploading, deleteTopic, type NewUpload, sendBatch, type Uploading, watchJob } from './requests.js';

export interface LoadOptions {
  history: History;
  random: Randomness;
  /** One for each account. */
  callers: readonly Caller[];
  /** Pause of each client between two requests. */
  paceMs: number;
  /** Every upload has an Idempotency-Key, so it can be retried. */
  allKeyed?: boolean;
}

/** Running clients: every account uploads, polls, asks, deletes and probes other accounts, all at once, until stopped. */
export interface Load {
  readonly history: History;
  readonly callers: readonly Caller[];
  /** The collections of an account. */
  placesOf(caller: Caller): readonly Place[];
  acknowledged(): number;
  /** Resolves when this many more uploads have been acknowledged. */
  more(count: number): Promise<void>;
  /** One extra upload, sent until acknowledged. */
  upload(caller: Caller, upload: Omit<NewUpload, 'idempotencyKey'>): Promise<void>;
  /** Stops the clients. Unanswered uploads with an Idempotency-Key are sent until acknowledged. */
  stop(): Promise<void>;
}

/** Deleted repeatedly; other topics only grow. */
const doomed: Topic = 'sql';
const topics = Object.keys(lessons) as Topic[];
const uploadersEach = 2;
/** Maximum number of uploads in a row. */
const burst = 5;
const linesPerBatch = 10;
const waitForEndMs = 20_000;
const patienceMs = 300_000;

export function startLoad({ history, random, callers, paceMs, allKeyed = false }: LoadOptions): Load {
  const shared = unique('shared');
  const places = new Map(callers.map((caller) => [caller, openPlaces(caller, shared)]));
  const unanswered = new Set<{ uploading: Uploading; caller: Caller }>();
  const acknowledged = () => history.uploads.filter(({ jobIds }) => jobIds.length > 0).length;
  let stopped = false;

  const clients = callers.flatMap((caller) => [
    ...Array.from({ length: uploadersEach }, () => repeat(paceMs, () => uploadSome(caller))),
    repeat(paceMs * 10, () => uploadBatch(caller)),
    repeat(paceMs, () => watchOne(caller)),
    repeat(paceMs * 2, () => askOne(caller)),
    repeat(paceMs * 20, () => deleteTopic(history, caller, random.pick(placesOf(caller)), doomed)),
    repeat(paceMs * 2, () => probeOne(caller)),
  ]);

  return {
    history,
    callers,
    placesOf,
    acknowledged,
    async more(count) {
      const goal = acknowledged() + count;
      const what = `${count} more uploads are acknowledged`;
      await eventually(() => acknowledged() >= goal || undefined, { what, withinMs: patienceMs });
    },
    async upload(caller, upload) {
      const uploading = createUploading(history, { ...upload, idempotencyKey: unique('retry') });
      await insist(uploading, caller);
    },
    async stop() {
      stopped = true;
      await Promise.all(clients);
      await inParallel([...unanswered], 4, ({ uploading, caller }) => insist(uploading, caller));
    },
  };

  function placesOf(caller: Caller): readonly Place[] {
    return places.get(caller) as readonly Place[];
  }

  async function repeat(pauseMs: number, action: () => Promise<unknown>): Promise<void> {
    await sleep(random.below(pauseMs));
    while (!stopped) {
      await action();
      await sleep(pauseMs / 2 + random.below(pauseMs));
    }
  }

  async function uploadSome(caller: Caller): Promise<void> {
    let last: string | undefined;
    for (let left = 1 + random.below(burst); left > 0; left--) last = await uploadOne(caller);
    await waitForEnd(caller, last);
  }

  /** So that a slow product gets less to do. */
  async function waitForEnd(caller: Caller, last: string | undefined): Promise<void> {
    const deadline = Date.now() + waitForEndMs;
    while (last !== undefined && !stopped && Date.now() < deadline) {
      const seen = await watchJob(history, caller, last);
      if (seen?.status !== 'processing') return;
      await sleep(paceMs);
    }
  }

  /** The job id if it was acknowledged. */
  async function uploadOne(caller: Caller): Promise<string | undefined> {
    const keyed = allKeyed || random.below(2) === 0;
    const place = random.pick(placesOf(caller));
    const idempotencyKey = keyed ? unique('retry') : undefined;
    const uploading = createUploading(history, { place, topic: random.pick(topics), idempotencyKey });
    const done = await uploading.send(caller);
    if (!keyed) return uploading.sent.jobIds[0];
    if (!done) unanswered.add({ uploading, caller });
    // As a client does if it never received the answer.
    else if (random.below(4) === 0) await uploading.send(caller);
    await retryOne();
    return uploading.sent.jobIds[0];
  }

  /** Lines that were not acknowledged are sent again alone. */
  async function uploadBatch(caller: Caller): Promise<void> {
    const place = random.pick(placesOf(caller));
    const idempotencyKey = unique('batch');
    const lines = Array.from({ length: 1 + random.below(linesPerBatch) }, () =>
      createUploading(history, { place, topic: random.pick(topics), idempotencyKey }),
    );
    await sendBatch(caller, lines);
    for (const uploading of lines) if (uploading.sent.jobIds.length === 0) unanswered.add({ uploading, caller });
    await waitForEnd(caller, lines.at(-1)?.sent.jobIds[0]);
  }

  async function retryOne(): Promise<void> {
    const [oldest] = unanswered;
    if (!oldest) return;
    unanswered.delete(oldest);
    if (!(await oldest.uploading.send(oldest.caller))) unanswered.add(oldest);
  }

  async function insist(uploading: Uploading, caller: Caller): Promise<void> {
    const what = `the upload ${uploading.sent.marker} is acknowledged`;
    const send = async () => (await uploading.send(caller)) || undefined;
    await eventually(send, { what, withinMs: patienceMs, everyMs: 300 });
  }

  async function watchOne(caller: Caller): Promise<void> {
    const own = history.uploads.filter(({ account, jobIds }) => account === caller.account && jobIds.length > 0);
    if (own.length === 0) return;
    // Mostly recent ones, which are about to end.
    const { jobIds } = random.pick(random.below(4) === 0 ? own : own.slice(-20));
    await watchJob(history, caller, jobIds.at(-1) as string);
  }

  async function askOne(caller: Caller): Promise<void> {
    await ask(history, caller, random.pick(placesOf(caller)), random.pick(topics));
  }

  async function probeOne(caller: Caller): Promise<void> {
    const victim = random.pick(callers.filter((other) => other !== caller));
    if (victim === undefined) return;
    await probe({ history, random, caller, victim, victimPlaces: [placesOf(victim)[0] as Place] });
  }
}

/** One of its own name, one with a name that every account uses, and the account's default collection. */
function openPlaces({ account, home }: Caller, shared: string): Place[] {
  return [...[unique('room'), shared].map((tenantId) => ({ account, tenantId, tag: newTag() })), home];
}
