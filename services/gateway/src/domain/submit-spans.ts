import { hash } from 'node:crypto';
import type { Micros, TraceOfSpans, UploadToAppend } from '@whetstone/contracts';
import type { JobIds } from '@whetstone/identity';
import type { Clock } from '@whetstone/platform';
import { type Caller, nameOfCollection, type ResolveCollection } from './resolve-collection.js';

/** Some spans of one trace. */
export interface SpansOfTrace {
  tenantId: string;
  traceId: string;
  /** When the first of them began. */
  start: Micros;
  hasRoot: boolean;
  /** As JSON, without secrets. */
  spans: Uint8Array;
}

interface SubmitSpansDeps {
  /** Resolves once the spans are durable, and with them the name of their collection. Rejects like that of an upload. */
  append(spans: UploadToAppend, trace: TraceOfSpans, name: string | undefined): Promise<void>;
  clock: Clock;
  jobIds: JobIds;
  resolveCollection: ResolveCollection;
}

export type SubmitSpans = (caller: Caller, spans: readonly SpansOfTrace[]) => Promise<void>;

const atOnce = 64;
const dayMicros = 24 * 60 * 60 * 1_000_000;

/**
 * Appends spans, which become an upload once their trace is complete. The job is named by the trace and the day on which
 * it began, so that however often and in whatever pieces it comes there is one. Spans that came without the root may have
 * begun on the day after it.
 */
export function createSubmitSpans({ append, clock, jobIds, resolveCollection }: SubmitSpansDeps): SubmitSpans {
  return async (caller, all) => {
    const { account, keyId, trust } = caller;
    const acceptedAt = clock.now();
    const targets = all.map((one) => ({ ...one, collectionId: resolveCollection(caller, one.tenantId) }));
    // In several turns of the event loop.
    for (let at = 0; at < targets.length; at += atOnce) await Promise.all(targets.slice(at, at + atOnce).map(submit));

    function submit({
      tenantId,
      collectionId,
      traceId,
      start,
      hasRoot,
      spans,
    }: (typeof targets)[number]): Promise<void> {
      const bodyDigest = hash('sha256', `trace ${traceId}`, 'hex');
      const jobOn = (day: Micros) => jobIds.issue({ account, collectionId }, day, { key: 'trace', bodyDigest });
      const upload = {
        jobId: jobOn(start),
        collectionId,
        keyId,
        ...(trust === undefined ? {} : { trust }),
        acceptedAt,
        bodyDigest,
        interaction: spans,
      };
      const earlierJobId = jobOn(Math.max(0, start - dayMicros));
      return append(upload, { traceId, hasRoot, earlierJobId }, nameOfCollection(tenantId));
    }
  };
}
