import type { Micros } from '@whetstone/contracts';
import protobuf from 'protobufjs';

/** A span as it was sent, whatever the encoding. */
export interface OtlpSpan {
  traceId: string;
  id: string;
  /** Absent from the root. */
  parent?: string;
  name: string;
  start: Micros;
  end: Micros;
  attributes: Attributes;
  events: { name: string; attributes: Attributes }[];
  /** What the status says of an error, perhaps nothing. */
  error?: string;
  /** Of the resource that sent it. */
  resource: Attributes;
}

export type Attributes = Readonly<Record<string, unknown>>;

/** What became of a request, as OTLP tells it. */
export interface PartialSuccess {
  rejectedSpans: number;
  errorMessage: string;
}

const field = (id: number, type: string) => ({ id, type });
const list = (id: number, type: string) => ({ id, type, rule: 'repeated' as const });

/** The fields that are read; all others are skipped. */
const root = protobuf.Root.fromJSON({
  nested: {
    Request: { fields: { resourceSpans: list(1, 'ResourceSpans') } },
    ResourceSpans: { fields: { resource: field(1, 'Resource'), scopeSpans: list(2, 'ScopeSpans') } },
    Resource: { fields: { attributes: list(1, 'KeyValue') } },
    ScopeSpans: { fields: { spans: list(2, 'Span') } },
    Span: {
      fields: {
        traceId: field(1, 'bytes'),
        spanId: field(2, 'bytes'),
        parentSpanId: field(4, 'bytes'),
        name: field(5, 'string'),
        startTimeUnixNano: field(7, 'fixed64'),
        endTimeUnixNano: field(8, 'fixed64'),
        attributes: list(9, 'KeyValue'),
        events: list(11, 'Event'),
        status: field(15, 'Status'),
      },
    },
    Event: { fields: { name: field(2, 'string'), attributes: list(3, 'KeyValue') } },
    Status: { fields: { message: field(2, 'string'), code: field(3, 'int32') } },
    KeyValue: { fields: { key: field(1, 'string'), value: field(2, 'AnyValue') } },
    AnyValue: {
      fields: {
        stringValue: field(1, 'string'),
        boolValue: field(2, 'bool'),
        intValue: field(3, 'int64'),
        doubleValue: field(4, 'double'),
        arrayValue: field(5, 'ArrayValue'),
        kvlistValue: field(6, 'KeyValueList'),
        bytesValue: field(7, 'bytes'),
      },
    },
    ArrayValue: { fields: { values: list(1, 'AnyValue') } },
    KeyValueList: { fields: { values: list(1, 'KeyValue') } },
    Response: { fields: { partialSuccess: field(1, 'PartialSuccess') } },
    PartialSuccess: { fields: { rejectedSpans: field(1, 'int64'), errorMessage: field(2, 'string') } },
  },
});
const [requestType, responseType] = [root.lookupType('Request'), root.lookupType('Response')];

/** Throws if the bytes are no request of OTLP. */
export function decodeTraces(bytes: Uint8Array): OtlpSpan[] {
  return spansIn(requestType.decode(bytes));
}

/** The same for a request that came as JSON. Throws if it has another shape. */
export function readTraces(request: unknown): OtlpSpan[] {
  return spansIn(request);
}

export function encodeAnswer(partialSuccess?: PartialSuccess): Uint8Array {
  return responseType.encode(partialSuccess ? { partialSuccess } : {}).finish();
}

/** Both encodings have the same fields once decoded, except for ids and large numbers. */
interface Field {
  [name: string]: unknown;
}

function spansIn(request: unknown): OtlpSpan[] {
  return listIn(request, 'resourceSpans').flatMap((resourceSpans) => {
    const resource = attributesIn(fieldsOf(resourceSpans['resource'] ?? {}));
    return listIn(resourceSpans, 'scopeSpans').flatMap((scopeSpans) =>
      listIn(scopeSpans, 'spans').map((span) => spanOf(span, resource)),
    );
  });
}

function spanOf(span: Field, resource: Attributes): OtlpSpan {
  const parent = idOf(span['parentSpanId'] ?? '');
  if (parent.length !== 0 && parent.length !== 16) throw new TypeError('Invalid span or trace id');
  const status = fieldsOf(span['status'] ?? {});
  const isError = status['code'] === errorCode || status['code'] === 'STATUS_CODE_ERROR';
  return {
    traceId: idOf(span['traceId'], 16),
    id: idOf(span['spanId'], 8),
    ...(parent !== '' && !/^0+$/.test(parent) && { parent }),
    name: textOf(span['name'] ?? ''),
    start: microsOf(span['startTimeUnixNano']),
    end: microsOf(span['endTimeUnixNano']),
    attributes: attributesIn(span),
    events: listIn(span, 'events').map((event) => ({
      name: textOf(event['name'] ?? ''),
      attributes: attributesIn(event),
    })),
    ...(isError && { error: textOf(status['message'] ?? '') }),
    resource,
  };
}

const errorCode = 2;

function attributesIn(owner: Field): Attributes {
  return Object.fromEntries(
    listIn(owner, 'attributes').map(({ key, value }) => [textOf(key), anyValue(fieldsOf(value ?? {}))]),
  );
}

function anyValue(value: Field): unknown {
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue } = own(value);
  if (stringValue !== undefined) return stringValue;
  if (boolValue !== undefined) return boolValue;
  if (intValue !== undefined) return Number(String(intValue));
  if (doubleValue !== undefined) return doubleValue;
  if (arrayValue !== undefined) return listIn(fieldsOf(arrayValue), 'values').map(anyValue);
  if (kvlistValue === undefined) return undefined;
  return attributesIn({ attributes: fieldsOf(kvlistValue)['values'] });
}

/** Fields that were not sent are on the prototype of a decoded message. */
function own(value: Field): Field {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null && field !== undefined));
}

function listIn(owner: unknown, name: string): Field[] {
  const found = fieldsOf(owner)[name] ?? [];
  if (!Array.isArray(found)) throw new TypeError(`${name} is not a list`);
  return found.map(fieldsOf);
}

function fieldsOf(value: unknown): Field {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('A message is missing');
  return value as Field;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('Expected a string');
  return value;
}

/** Bytes in protobuf, where absent ones are an empty list; hexadecimal in JSON. */
function idOf(value: unknown, bytes?: number): string {
  if (Array.isArray(value)) return idOf('', bytes);
  const id = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : textOf(value).toLowerCase();
  if (!/^[0-9a-f]*$/.test(id) || (bytes !== undefined && id.length !== 2 * bytes))
    throw new TypeError('Invalid span or trace id');
  return id;
}

const latest = Date.UTC(2100) * 1000;

function microsOf(nanos: unknown): Micros {
  const micros = Math.floor(Number(String(nanos ?? 0)) / 1000);
  if (!Number.isSafeInteger(micros) || micros < 0 || micros > latest) throw new TypeError('Invalid timestamp');
  return micros;
}
