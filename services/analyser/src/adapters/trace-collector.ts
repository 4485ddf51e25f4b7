import { type AcceptedUpload, type Trust, topics, trustLevels } from '@whetstone/contracts';
import {
  type Consumption,
  collectionOfUploadKey,
  decodeMessage,
  decryptUpload,
  type EventLog,
  endOfTrace,
  FairPool,
  isEndOfTrace,
  type LogEvent,
  readSpansEvent,
  splitEncrypted,
  toUploadLogEvent,
  type UploadKey,
  unpackedBytes,
} from '@whetstone/event-log';
import { prefixOfCollection } from '@whetstone/identity';
import { AppError, Counter, type Logger, logSparingly, type Registry, retry } from '@whetstone/platform';
import { assembleRun, isObject, type RunSpan } from '@whetstone/traces';

import { mayPass } from '../domain/jobs/job-records.js';
import type { JobLookup } from '../domain/ports.js';
import type { FindDataKey } from './data-keys.js';

export interface TraceConfig {
  /** From the root, or a span after it, to the end of a trace. */
  waitMs: number;
  /** From the last span to the end of a trace whose root has not come. */
  idleMs: number;
  /** Of spans that are held. */
  maxBytes: number;
}

interface TraceCollectorDeps {
  log: Pick<EventLog, 'append' | 'consume'>;
  jobs: JobLookup;
  findDataKey: FindDataKey;
  logger: Logger;
  registry: Registry;
  onCrash(error: Error): void;
}

export interface TraceCollector {
  start(): Promise<void>;
  stop(): Promise<void>;
  readonly live: boolean;
}

/** A trace whose end has not been read. */
interface OpenTrace {
  key: string;
  firstOffset: number;
  events: LogEvent[];
  /** Of the events as they are in the log. */
  bytes: number;
  /** Of the spans in them. */
  unpackedBytes: number;
  hasRoot: boolean;
  openedMs: number;
  /** When this process read its last spans. */
  seenMs: number;
  /** When its end was last appended. */
  endedMs?: number;
}

/** What one partition holds up: its position stays before the first event of each of these. */
interface PartitionTraces {
  nextOffset: number;
  committed: number;
  open: Map<string, OpenTrace>;
  finishing: Set<OpenTrace>;
  /** Recently completed traces; later spans are dropped. */
  ended: Set<string>;
  gone: AbortController;
}

const topic = topics.spans.name;
const group = 'whetstone-traces';
const longestTickMs = 1000;
/** An end that has not been read by then was perhaps not appended. */
const repeatEndMs = 30_000;
/** Of the spans of one trace. What comes beyond is left out. */
const maxTraceBytes = 8 * 1024 * 1024;
/** Upper bound for a trace that keeps receiving spans; otherwise it would block its partition. */
const longestLifeMs = 60 * 60 * 1000;
/** Traces that become uploads at the same time. */
const concurrency = 8;
const rememberedEnds = 10_000;
const outcomes = ['uploaded', 'nothing', 'known', 'erased', 'cut', 'late', 'unreadable'] as const;

/**
 * Makes uploads of traces. The log itself says where a trace ends: once nothing has come for a while, an event is
 * appended behind the spans, and whoever reads it has read all of them. So the same spans make the same upload
 * after every restart and on every replica, and the upload has the same job. A position is committed only when
 * everything before it has become uploads.
 */
export function createTraceCollector(deps: TraceCollectorDeps, config: TraceConfig): TraceCollector {
  const { log, jobs, findDataKey, logger, registry } = deps;
  const partitions = new Map<number, PartitionTraces>();
  const traces = new Counter({
    name: 'whetstone_traces_total',
    help: 'Traces that ended; cut: closed early or shortened, for want of memory; late: spans after the end',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of outcomes) traces.inc({ outcome }, 0);
  const onAway = logSparingly(logger, 'Trace could not be converted to an upload yet; retrying');
  const onNotEnded = logSparingly(logger, 'The end of a trace could not be appended; retrying');
  const pool = new FairPool(concurrency);
  let consumption: Consumption | undefined;
  let timer: NodeJS.Timeout | undefined;
  let heldBytes = 0;
  let finishingBytes = 0;
  let isPaused = false;
  let live = true;

  return {
    get live() {
      return live;
    },
    async start() {
      consumption = await log.consume({ topic, group, onEvents, onRevoked: giveUp, onCrash: crash });
      timer = setInterval(tick, Math.min(longestTickMs, config.waitMs / 5)).unref();
    },
    async stop() {
      clearInterval(timer);
      pool.clear();
      giveUp([...partitions.keys()]);
      await consumption?.stop();
    },
  };

  function onEvents(events: LogEvent[]): void {
    for (const event of events) {
      const partition = partitions.get(event.partition) ?? take(event.partition, event.offset);
      partition.nextOffset = event.offset + 1;
      if (isEndOfTrace(event)) end(partition, event.key);
      else if (partition.ended.has(event.key)) traces.inc({ outcome: 'late' });
      else hold(partition, event);
    }
    if (heldBytes > config.maxBytes) cutLongest();
    pauseOrResume();
  }

  /** Nobody reads on while more is becoming uploads than may be held: that needs nothing which is still to be read. */
  function pauseOrResume(): void {
    const shallPause = finishingBytes > config.maxBytes;
    if (shallPause) consumption?.pause([...partitions.keys()]);
    else if (isPaused) consumption?.resume([...partitions.keys()]);
    isPaused = shallPause;
  }

  function take(number: number, offset: number): PartitionTraces {
    const partition: PartitionTraces = {
      nextOffset: offset,
      committed: offset,
      open: new Map(),
      finishing: new Set(),
      ended: new Set(),
      gone: new AbortController(),
    };
    partitions.set(number, partition);
    return partition;
  }

  function hold(partition: PartitionTraces, event: LogEvent): void {
    const { key, offset, value } = event;
    const trace = partition.open.get(key) ?? open(partition, key, offset);
    trace.hasRoot ||= readSpansEvent(event).hasRoot === true;
    const size = sizeOf(value);
    if (trace.unpackedBytes + size > maxTraceBytes) {
      traces.inc({ outcome: 'cut' });
      return;
    }
    trace.seenMs = performance.now();
    trace.events.push(event);
    trace.unpackedBytes += size;
    trace.bytes += value.length;
    heldBytes += value.length;
  }

  function open({ open: all }: PartitionTraces, key: string, firstOffset: number): OpenTrace {
    const now = performance.now();
    const sizes = { bytes: 0, unpackedBytes: 0 };
    const trace = { key, firstOffset, events: [], ...sizes, hasRoot: false, openedMs: now, seenMs: now };
    all.set(key, trace);
    return trace;
  }

  function end(partition: PartitionTraces, key: string): void {
    const trace = partition.open.get(key);
    if (!trace) return;
    partition.open.delete(key);
    partition.finishing.add(trace);
    partition.ended.add(key);
    const [oldest] = partition.ended;
    if (partition.ended.size > rememberedEnds && oldest !== undefined) partition.ended.delete(oldest);
    heldBytes -= trace.bytes;
    finishingBytes += trace.bytes;
    const lane = { account: accountOf(key), collection: collectionOfUploadKey(key) };
    pool.add({ lane, run: () => finish(trace, partition) });
  }

  function tick(): void {
    const now = performance.now();
    for (const [number, partition] of partitions) {
      for (const trace of partition.open.values()) {
        const restMs = trace.hasRoot ? config.waitMs : config.idleMs;
        const dueMs = Math.min(trace.seenMs + restMs, trace.openedMs + Math.max(longestLifeMs, restMs));
        if (now >= Math.max(dueMs, (trace.endedMs ?? -Infinity) + repeatEndMs)) appendEnd(trace, now);
      }
      commit(number, partition);
    }
    pauseOrResume();
  }

  function appendEnd(trace: OpenTrace, now: number): void {
    trace.endedMs = now;
    log.append(topic, endOfTrace(trace.key)).catch(onNotEnded);
  }

  /** Ends, at once, those of the account that holds most which have been quiet for longest. Their later spans are late. */
  function cutLongest(): void {
    const waiting = [...partitions.values()].flatMap((partition) =>
      [...partition.open.values()].map((trace) => ({ partition, trace, account: accountOf(trace.key) })),
    );
    const bytesOf = new Map<string, number>();
    for (const { account, trace } of waiting) bytesOf.set(account, (bytesOf.get(account) ?? 0) + trace.bytes);
    const [largest] = [...bytesOf].sort(([, a], [, b]) => b - a)[0] ?? [];
    const theirs = waiting.filter(({ account }) => account === largest).sort((a, b) => a.trace.seenMs - b.trace.seenMs);
    for (const { partition, trace } of theirs) {
      if (heldBytes <= config.maxBytes) break;
      traces.inc({ outcome: 'cut' });
      end(partition, trace.key);
    }
  }

  function commit(number: number, partition: PartitionTraces): void {
    const held = [...partition.open.values(), ...partition.finishing].map(({ firstOffset }) => firstOffset);
    const position = held.reduce((least, offset) => Math.min(least, offset), partition.nextOffset);
    if (position === partition.committed) return;
    partition.committed = position;
    consumption?.commit(number, position).catch((error: unknown) => {
      partition.committed = -1;
      logger.debug({ err: error }, 'Committing the span offset failed; retrying');
    });
  }

  function giveUp(numbers: number[]): void {
    for (const number of numbers) {
      const partition = partitions.get(number);
      if (!partition) continue;
      partition.gone.abort();
      for (const { bytes } of partition.open.values()) heldBytes -= bytes;
      for (const { bytes } of partition.finishing) finishingBytes -= bytes;
      partitions.delete(number);
    }
  }

  function crash(error: Error): void {
    live = false;
    deps.onCrash(error);
  }

  /** Never rejects: what cannot become an upload is left out, and told. */
  async function finish(trace: OpenTrace, { finishing, gone: { signal } }: PartitionTraces): Promise<void> {
    try {
      const outcome = await retry(() => upload(trace, signal), {
        signal,
        retryIf: mayPass,
        onRetry: onAway,
        longestWaitMs: 5000,
      });
      traces.inc({ outcome });
    } catch (error) {
      if (signal.aborted) return;
      logger.error({ err: error, spans: trace.events.length }, 'Trace could not be converted to an upload; dropped');
      traces.inc({ outcome: 'unreadable' });
    }
    if (signal.aborted) return;
    finishing.delete(trace);
    finishingBytes -= trace.bytes;
  }

  async function upload({ events, hasRoot }: OpenTrace, signal: AbortSignal): Promise<(typeof outcomes)[number]> {
    const parts: Part[] = [];
    let destroyed = 0;
    for (const event of events) {
      signal.throwIfAborted();
      const part = await readPart(event);
      if (part === 'destroyed') destroyed++;
      else if (part) parts.push(part);
    }
    const [first] = parts;
    if (!first) return destroyed > 0 ? 'erased' : 'unreadable';
    const interaction = assembleRun(parts.flatMap(({ spans }) => spans));
    if (!interaction) return 'nothing';
    // The root began first, so its part names the day of the trace, whatever else has come.
    const named = parts.find(({ isOfRoot }) => isOfRoot) ?? parts.reduce((a, b) => (b.jobId < a.jobId ? b : a));
    if (!hasRoot && (await isKnown(named.earlierJobId, signal))) return 'known';
    const { collectionId, keyId, bodyDigest } = first.envelope;
    const trust = leastTrust(parts.map(({ envelope }) => envelope.trust));
    const acceptedAt = Math.min(...parts.map(({ envelope }) => envelope.acceptedAt));
    const dataKey = parts.findLast((part) => part.dataKey)?.dataKey;
    const made = {
      jobId: named.jobId,
      collectionId,
      keyId,
      ...(trust && { trust }),
      acceptedAt,
      bodyDigest,
      interaction,
    };
    await log.append(topics.uploads.name, await toUploadLogEvent(made, {}, dataKey));
    return 'uploaded';
  }

  /** What is left of a trace that ended after midnight may have come after the rest. */
  async function isKnown(jobId: string | undefined, signal: AbortSignal): Promise<boolean> {
    if (jobId === undefined) return false;
    const { status, startedAt } = await jobs.getJob({ jobId }, { signal });
    return status === 'completed' || status === 'failed' || startedAt !== undefined;
  }

  interface Part {
    envelope: Envelope;
    jobId: string;
    earlierJobId?: string | undefined;
    isOfRoot: boolean;
    spans: RunSpan[];
    dataKey?: UploadKey;
  }

  /** `undefined` if it cannot be read. */
  async function readPart(event: LogEvent): Promise<Part | 'destroyed' | undefined> {
    const { hasRoot = false, earlierJobId } = readSpansEvent(event);
    try {
      const sealed = splitEncrypted(event.value);
      const key = sealed && (await findDataKey(collectionOfUploadKey(event.key), sealed.dataKeyId));
      if (key === 'destroyed') return key;
      const message = sealed && key ? await decryptUpload(sealed, key) : await decodeMessage(event.value);
      const { interaction, ...envelope } = spansOf(message);
      const dataKey = sealed && key && { dataKey: { id: sealed.dataKeyId, bytes: key } };
      return { envelope, jobId: envelope.jobId, earlierJobId, isOfRoot: hasRoot, spans: interaction.spans, ...dataKey };
    } catch (error) {
      if (mayPass(error)) throw error;
      logger.warn({ err: error, partition: event.partition, offset: event.offset }, 'Unreadable spans; dropped');
      return undefined;
    }
  }
}

type Envelope = Omit<AcceptedUpload, 'interaction'>;

/** Guards against other writers, as for uploads. */
function spansOf(message: unknown): Envelope & { interaction: { spans: RunSpan[] } } {
  const { interaction } = isObject(message) ? message : {};
  const { spans } = isObject(interaction) ? interaction : {};
  if (!Array.isArray(spans) || !spans.every(isSpan)) throw new AppError('invalid_argument', 'Not spans of a trace');
  return message as Envelope & { interaction: { spans: RunSpan[] } };
}

function isSpan(value: unknown): boolean {
  return isObject(value) && typeof value['id'] === 'string' && Number.isSafeInteger(value['start']);
}

/** Whoever is trusted least may have added the worst. */
function leastTrust(all: readonly (Trust | undefined)[]): Trust | undefined {
  const found = trustLevels.find((level) => all.some((trust) => (trust ?? 'normal') === level));
  return found === 'normal' ? undefined : found;
}

/** Of the spans in it. */
function sizeOf(value: Uint8Array): number {
  try {
    return splitEncrypted(value)?.unpackedBytes ?? unpackedBytes(value);
  } catch {
    // It cannot be read, which is told when its trace ends.
    return value.length;
  }
}

function accountOf(key: string): string {
  return prefixOfCollection(collectionOfUploadKey(key));
}
