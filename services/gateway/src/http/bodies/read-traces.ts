import { type Problem, tenantIdSchema, tooLong } from '@whetstone/contracts';
import { packInteraction } from '@whetstone/event-log/codec';
import { decodeTraces, lacksContent, type OtlpSpan, type RunSpan, readSpan, readTraces } from '@whetstone/traces';
import type { SpansOfTrace } from '../../domain/submit-spans.js';
import { invalid, tooManyTraces } from '../refusals.js';
import { readJson } from './read-json.js';

export interface TracesOptions {
  isProtobuf: boolean;
  /** Of all spans; without it, their resources name theirs. */
  tenantId?: string;
}

/** The spans of a request, and what became of the others. */
export interface ReadTraces {
  traces: SpansOfTrace[];
  counts: SpanCounts;
}

export interface SpanCounts {
  accepted: number;
  /** They have nothing to do with an agent. */
  ignored: number;
  /** Of models and tools, without what was said and done. */
  empty: number;
  /** Nobody names their collection. */
  nameless: number;
}

/** Each is appended on its own. */
const maxTraces = 20_000;
/** Of an event. Spans of one trace beyond it go into another. */
const maxEventBytes = 1024 * 1024;
const tenantAttribute = 'whetstone.tenant_id';

/** A request of traces is read as a whole, in a thread whose memory is meant for bodies of `maxBytes`. */
export function largestTraces(maxBytes: number, maxBatchBytes: number): number {
  return Math.min(4 * maxBytes, maxBatchBytes);
}

/** Reads a request of OTLP. Throws a Refusal with 422 if it is none, or if no span has a collection. */
export function readTraceSpans(
  bytes: Buffer,
  { isProtobuf, tenantId }: TracesOptions,
  redactText: (text: string) => string,
): ReadTraces {
  if (tenantId !== undefined) checkLength(tenantId);
  const counts: SpanCounts = { accepted: 0, ignored: 0, empty: 0, nameless: 0 };
  const groups = new Map<string, Group>();
  const spans = isProtobuf ? decoded(() => decodeTraces(bytes)) : fromJson(bytes);
  for (const span of spans) {
    const tenant = tenantId ?? span.resource[tenantAttribute];
    const read = decoded(() => readSpan(span));
    if (typeof tenant !== 'string' || tenant === '') counts.nameless++;
    else if (!read) counts.ignored++;
    else if (isEmpty(read)) counts.empty++;
    else {
      checkLength(tenant);
      counts[read.kind === 'other' ? 'ignored' : 'accepted']++;
      add(groups, { tenant, traceId: span.traceId, span: redacted(read, redactText) });
      if (groups.size > maxTraces) throw tooManyTraces(maxTraces);
    }
  }
  if (counts.nameless > 0 && counts.nameless === spans.length) throw invalid([withoutTenant]);
  return { traces: [...groups.values()].flatMap(eventsOf), counts };
}

/** Agents and the root have a place in the trace, and some spans say how it ended or what was recommended. */
function isEmpty(span: RunSpan): boolean {
  const { kind, parent, success, enhancementId } = span;
  const isOfUse = kind === 'agent' || parent === undefined || success !== undefined || enhancementId !== undefined;
  return !isOfUse && lacksContent(span);
}

const tenantAt = ['header', 'x-whetstone-tenant'];
const withoutTenant: Problem = {
  loc: tenantAt,
  msg: `Name the collection in this header, or in the resource attribute ${tenantAttribute}`,
  type: 'missing',
};

function checkLength(tenantId: string): void {
  const { maxLength } = tenantIdSchema;
  if ([...tenantId].length > maxLength) throw invalid([tooLong(tenantAt, maxLength)]);
}

interface Group {
  tenantId: string;
  traceId: string;
  spans: RunSpan[];
}

function add(
  groups: Map<string, Group>,
  { tenant, traceId, span }: { tenant: string; traceId: string; span: RunSpan },
) {
  const key = `${traceId} ${tenant}`;
  const group = groups.get(key) ?? { tenantId: tenant, traceId, spans: [] };
  group.spans.push(span);
  groups.set(key, group);
}

function eventsOf({ tenantId, traceId, spans }: Group): SpansOfTrace[] {
  const events: { json: string[]; bytes: number; spans: RunSpan[] }[] = [];
  for (const span of spans) {
    const json = JSON.stringify(span);
    let event = events.at(-1);
    if (!event || event.bytes + json.length > maxEventBytes) {
      event = { json: [], bytes: 0, spans: [] };
      events.push(event);
    }
    event.json.push(json);
    event.bytes += json.length;
    event.spans.push(span);
  }
  return events.map(({ json, spans: some }) => ({
    tenantId,
    traceId,
    start: Math.min(...some.map(({ start }) => start)),
    hasRoot: some.some(({ parent }) => parent === undefined),
    spans: packInteraction(`{"spans":[${json.join()}]}`),
  }));
}

function redacted(span: RunSpan, redactText: (text: string) => string): RunSpan {
  const { name, task, input, output, error } = span;
  return {
    ...span,
    ...(name !== undefined && { name: redactText(name) }),
    ...(task !== undefined && { task: redactText(task) }),
    ...(input !== undefined && { input: redactText(input) }),
    ...(output !== undefined && { output: redactText(output) }),
    ...(error !== undefined && { error: redactText(error) }),
  };
}

function fromJson(bytes: Buffer): OtlpSpan[] {
  const { value, problems } = readJson(bytes);
  if (problems.length > 0) throw invalid(problems);
  return decoded(() => readTraces(value));
}

/** Decoders say what is wrong only to their authors. */
function decoded<Read>(decode: () => Read): Read {
  try {
    return decode();
  } catch {
    throw invalid([{ loc: ['body'], msg: 'The body is not a valid OTLP trace export', type: 'value_error' }]);
  }
}
