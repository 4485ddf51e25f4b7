import { withoutAdvice } from '@whetstone/reading';
import {
  assembleRun,
  isObject,
  type OtlpSpan,
  type RunSpan,
  readSpan,
  readTraces,
  runOfMessages,
} from '@whetstone/traces';

import { readTranscript } from '../coding-agents/transcript.js';

/** An upload, without its collection if the file names none. */
export type ImportedRun = Record<string, unknown>;

export type Format = 'whetstone' | 'messages' | 'otlp' | 'langfuse' | 'langsmith' | 'transcript';

/** What was read of a file. */
export interface ReadRuns {
  runs: ImportedRun[];
  /** How many entries were left out, by reason. */
  skipped: Map<string, number>;
}

type Json = Record<string, unknown>;

/** The format of an entry; `undefined` if it has none that is known. */
export function formatOf(entry: unknown): Format | undefined {
  if (Array.isArray(entry)) return runOfMessages(entry) ? 'messages' : undefined;
  if (!isObject(entry)) return undefined;
  if (typeof entry['query'] === 'string' && Array.isArray(entry['turns'])) return 'whetstone';
  if (Array.isArray(entry['resourceSpans'])) return 'otlp';
  if (typeof entry['run_type'] === 'string') return 'langsmith';
  if (Array.isArray(entry['observations']) || typeof entry['traceId'] === 'string') return 'langfuse';
  if (isObject(entry['payload']) || isObject(entry['message']) || typeof entry['sessionId'] === 'string') {
    return 'transcript';
  }
  return messagesIn(entry) ? 'messages' : undefined;
}

/** Reads what a file holds: JSON, or JSON in each line. `format`: of all entries; without it, each is looked at. */
export function readRuns(text: string, format?: Format): ReadRuns {
  const read: ReadRuns = { runs: [], skipped: new Map() };
  const entries = entriesIn(text, read);
  const chosen = format ?? entries.map(formatOf).find((found) => found !== undefined);
  if (chosen === 'transcript') {
    const { runs, skipped, broken } = readTranscript(text);
    read.runs = runs.map((run) => ({ ...run }));
    if (skipped > 0) read.skipped.set('not part of a run', skipped);
    if (broken > 0) read.skipped.set('not JSON', broken);
    return read;
  }
  const spans = new Map<string, RunSpan[]>();
  for (const entry of entries) {
    const found = isObject(entry) || Array.isArray(entry) ? (format ?? formatOf(entry)) : undefined;
    if (found === 'whetstone') read.runs.push(entry as ImportedRun);
    else if (found === 'messages') add(read, runOfConversation(entry), 'no task, or nothing done');
    else if (found === 'otlp') for (const span of otlpIn(entry, read)) hold(spans, span);
    else if (found === 'langfuse') for (const span of langfuseIn(entry as Json)) hold(spans, span);
    else if (found === 'langsmith') hold(spans, langsmithSpan(entry as Json));
    else skip(read, 'of no known format');
  }
  for (const trace of spans.values()) {
    const run = assembleRun(trace);
    add(read, run && uploadOf(run), 'a trace without a task, or without steps');
  }
  return read;
}

function entriesIn(text: string, read: ReadRuns): unknown[] {
  try {
    const whole: unknown = JSON.parse(text);
    const isList = Array.isArray(whole) && (whole.every(Array.isArray) || formatOf(whole) === undefined);
    return isList ? (whole as unknown[]) : [whole];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : lineOf(line, read)));
  }
}

function lineOf(line: string, read: ReadRuns): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    skip(read, 'not JSON');
    return [];
  }
}

function add({ runs, skipped }: ReadRuns, run: ImportedRun | undefined, otherwise: string): void {
  if (run) runs.push(run);
  else skip({ runs, skipped }, otherwise);
}

function skip({ skipped }: ReadRuns, reason: string): void {
  skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
}

function uploadOf({ agentType, timestamp, ...run }: NonNullable<ReturnType<typeof assembleRun>>): ImportedRun {
  return {
    ...run,
    query: withoutAdvice(run.query),
    ...(agentType !== undefined && { agent_type: agentType }),
    ...(timestamp !== undefined && timestamp > 0 && { timestamp: new Date(timestamp / 1000).toISOString() }),
  };
}

/** A list of messages; an object with one; or a logged request with its response. */
function messagesIn(entry: unknown): unknown[] | undefined {
  if (Array.isArray(entry)) return entry;
  if (!isObject(entry)) return undefined;
  const request = isObject(entry['request']) ? entry['request'] : isObject(entry['body']) ? entry['body'] : entry;
  const given = request['messages'] ?? request['input'];
  if (!Array.isArray(given)) return undefined;
  return [...given, ...answersIn(entry['response'] ?? entry['output'] ?? entry)];
}

/** The answer of a model, as the interfaces of OpenAI and Anthropic send it. */
function answersIn(response: unknown): unknown[] {
  if (!isObject(response)) return [];
  const { choices, content, role } = response;
  if (Array.isArray(choices)) return choices.map((choice) => (isObject(choice) ? choice['message'] : undefined));
  return role === 'assistant' && content !== undefined ? [{ role, content }] : [];
}

function runOfConversation(entry: unknown): ImportedRun | undefined {
  const run = runOfMessages(messagesIn(entry));
  if (!run) return undefined;
  const { success, agent_type } = isObject(entry) ? entry : {};
  return {
    ...run,
    query: withoutAdvice(run.query),
    ...(typeof success === 'boolean' && { success }),
    ...(typeof agent_type === 'string' && { agent_type }),
  };
}

type Held = { trace: string; span: RunSpan };

function hold(spans: Map<string, RunSpan[]>, { trace, span }: Held): void {
  const known = spans.get(trace);
  if (known) known.push(span);
  else spans.set(trace, [span]);
}

function otlpIn(entry: unknown, read: ReadRuns): Held[] {
  try {
    return readTraces(entry).flatMap((span) => heldOf(span) ?? []);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    skip(read, 'not an export of OTLP');
    return [];
  }
}

function heldOf(span: OtlpSpan): Held | undefined {
  const read = readSpan(span);
  return read && { trace: span.traceId, span: read };
}

/** The kinds of both services, as OpenInference names them. */
const kinds: Readonly<Record<string, string>> = {
  TOOL: 'TOOL',
  LLM: 'LLM',
  GENERATION: 'LLM',
  AGENT: 'AGENT',
  CHAIN: 'CHAIN',
};

interface Observed {
  trace: string;
  id: string;
  parent?: unknown;
  name: unknown;
  kind: string;
  input: unknown;
  output: unknown;
  start: unknown;
  error?: unknown;
  success?: boolean | undefined;
}

function observed({ trace, id, parent, name, kind, input, output, start, error, success }: Observed): Held {
  const told = kinds[kind.toUpperCase()];
  const attributes: Json = {
    ...(told !== undefined && { 'openinference.span.kind': told }),
    'tool.name': name,
    'agent.name': told === 'AGENT' ? name : undefined,
    ...(told === 'LLM'
      ? { 'gen_ai.input.messages': listOf(input), 'gen_ai.output.messages': outputMessages(output) }
      : { 'input.value': jsonOf(input), 'output.value': jsonOf(output) }),
    ...(success !== undefined && { 'whetstone.success': success }),
  };
  const startMs = typeof start === 'string' ? Date.parse(start) : Number.NaN;
  const span: OtlpSpan = {
    traceId: trace,
    id,
    ...(typeof parent === 'string' && { parent }),
    name: typeof name === 'string' ? name : '',
    start: Number.isNaN(startMs) ? 0 : startMs * 1000,
    end: 0,
    attributes,
    events: [],
    ...(typeof error === 'string' && error !== '' && { error }),
    resource: {},
  };
  const { end, start: begun } = span;
  return { trace, span: readSpan(span) ?? { id, start: begun, end, kind: 'other' } };
}

/** A trace with its observations, or one observation. */
function langfuseIn(entry: Json): Held[] {
  const { observations, id, traceId } = entry;
  if (!Array.isArray(observations)) return [langfuseSpan(entry, String(traceId))];
  const trace = String(id);
  const root = observed({
    trace,
    id: trace,
    name: entry['name'],
    kind: 'AGENT',
    input: entry['input'],
    output: entry['output'],
    start: entry['timestamp'],
    success: scored(entry['scores']),
  });
  return [root, ...observations.filter(isObject).map((one) => langfuseSpan(one, trace))];
}

function langfuseSpan(one: Json, trace: string): Held {
  const { id, parentObservationId, name, type, input, output, startTime, level, statusMessage } = one;
  return observed({
    trace,
    id: String(id),
    parent: parentObservationId ?? trace,
    name,
    kind: String(type),
    input,
    output,
    start: startTime,
    error: level === 'ERROR' ? (statusMessage ?? 'error') : undefined,
  });
}

/** Of scores that speak of the outcome, between 0 and 1. Others, such as of toxicity, say nothing about it. */
function scored(scores: unknown): boolean | undefined {
  const values = (Array.isArray(scores) ? scores : [])
    .map((score) =>
      isObject(score) && /success|correct|pass/i.test(String(score['name'])) ? score['value'] : undefined,
    )
    .filter((value) => typeof value === 'number' && value >= 0 && value <= 1);
  return values.length === 0 ? undefined : values.every((value) => (value as number) >= 0.5);
}

function langsmithSpan(entry: Json): Held {
  const { id, trace_id, parent_run_id, name, run_type, inputs, outputs, start_time, error } = entry;
  return observed({
    trace: String(trace_id ?? id),
    id: String(id),
    parent: parent_run_id,
    name,
    kind: String(run_type),
    input: inputs,
    output: outputs,
    start: start_time,
    error,
  });
}

function listOf(input: unknown): unknown {
  return isObject(input) ? (input['messages'] ?? input['input'] ?? []) : input;
}

/** LangChain nests its answers: `generations[][].message`. */
function outputMessages(output: unknown): unknown {
  if (!isObject(output)) return Array.isArray(output) ? output : [{ role: 'assistant', content: output }];
  const { generations, messages, choices } = output;
  const nested = Array.isArray(generations) ? generations.flat() : Array.isArray(choices) ? choices : undefined;
  const found = nested?.map((one) => (isObject(one) ? (one['message'] ?? one) : one)) ?? messages ?? [output];
  return Array.isArray(found) ? found.map(asAssistant) : [];
}

function asAssistant(message: unknown): unknown {
  if (!isObject(message)) return { role: 'assistant', content: message };
  const fields = isObject(message['kwargs']) ? message['kwargs'] : message;
  return { ...fields, role: 'assistant', content: fields['content'] ?? fields['text'] };
}

function jsonOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
