import type { Micros } from '@whetstone/contracts';
import { decisionOf, firstTask, isObject, type Message, parsed, plainText, readMessages } from './messages.js';
import type { Attributes, OtlpSpan } from './otlp.js';

/** What a span says of a run. */
export interface RunSpan {
  id: string;
  parent?: string;
  start: Micros;
  end: Micros;
  /** `other`: nothing but its place in the trace is of interest. */
  kind: 'agent' | 'model' | 'tool' | 'other';
  /** Of the agent or the tool; without a name of its own, of the service. */
  name?: string;
  /** What the user asked for at first. */
  task?: string;
  /** What a tool or a model was given last. */
  input?: string;
  /** The input is what a tool returned. */
  isResult?: boolean;
  /** What a tool returned, or a model decided. */
  output?: string;
  error?: string;
  /** What an evaluation says. */
  success?: boolean;
  /** The answer with recommendations that the agent was given. */
  enhancementId?: string;
}

/** `undefined` for a span that has nothing to do with an agent. */
export function readSpan(span: OtlpSpan): RunSpan | undefined {
  const kind = kindOf(span.attributes);
  const success = successOf(span);
  const enhancementId = idIn(span.attributes['whetstone.enhancement_id']);
  if (!kind && success === undefined && enhancementId === undefined && span.parent !== undefined) return undefined;
  const { id, parent, start, end, error } = span;
  return {
    id,
    ...(parent !== undefined && { parent }),
    start,
    end,
    kind: kind ?? 'other',
    ...(kind && contentOf(kind, span)),
    ...(error !== undefined && { error: shortened(error === '' ? exceptionIn(span) : error, maxTextChars) }),
    ...(success !== undefined && { success }),
    ...(enhancementId !== undefined && { enhancementId }),
  };
}

/** Whether a span of an agent, a model or a tool came without what was said and done, as most emitters send them by default. */
export function lacksContent({ kind, task, input, output, error }: RunSpan): boolean {
  return kind !== 'other' && [task, input, output, error].every((value) => value === undefined);
}

/** Longer texts are shortened: nobody learns from more. */
export const maxTextChars = 32 * 1024;

export function shortened(text: string, chars: number): string {
  if (text.length <= chars) return wellFormed(text);
  return `${wellFormed(text.slice(0, chars))}… (${text.length - chars} more characters)`;
}

/** Half a character, as a cut or an escape in JSON may leave it, becomes U+FFFD. */
function wellFormed(text: string): string {
  return /\p{Surrogate}/u.test(text) ? Buffer.from(text, 'utf8').toString('utf8') : text;
}

type Kind = Exclude<RunSpan['kind'], 'other'>;

const operations: ReadonlyMap<string, Kind> = new Map([
  ['invoke_agent', 'agent'],
  ['invoke_workflow', 'agent'],
  ['chat', 'model'],
  ['text_completion', 'model'],
  ['generate_content', 'model'],
  ['execute_tool', 'tool'],
]);
/** OpenInference. */
const spanKinds: ReadonlyMap<string, Kind> = new Map([
  ['AGENT', 'agent'],
  ['CHAIN', 'agent'],
  ['LLM', 'model'],
  ['TOOL', 'tool'],
]);

function kindOf(attributes: Attributes): Kind | undefined {
  return (
    operations.get(text(attributes['gen_ai.operation.name']) ?? '') ??
    spanKinds.get(text(attributes['openinference.span.kind'])?.toUpperCase() ?? '')
  );
}

type Content = { [Name in 'name' | 'task' | 'input' | 'isResult' | 'output']?: RunSpan[Name] | undefined };

function contentOf(kind: Kind, span: OtlpSpan): Partial<RunSpan> {
  const content = kind === 'tool' ? toolContent(span) : talkContent(kind, span);
  return Object.fromEntries(
    Object.entries(content)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => [name, typeof value === 'string' ? shortened(value, maxTextChars) : value]),
  );
}

function toolContent({ attributes, events, name }: OtlpSpan): Content {
  const first = (...names: string[]) => names.map((key) => attributes[key]).find((value) => value !== undefined);
  const input = first('gen_ai.tool.call.arguments', 'input.value', 'tool.parameters', 'tool_arguments');
  const output = first('gen_ai.tool.call.result', 'output.value', 'tool_response');
  const event = (wanted: string) => events.find((one) => one.name === wanted)?.attributes;
  return {
    name: text(attributes['gen_ai.tool.name']) ?? text(attributes['tool.name']) ?? name,
    input: textIfAny(input ?? event('gen_ai.tool.message')?.['content']),
    output: textIfAny(resultIn(output ?? event('gen_ai.choice')?.['message'])),
  };
}

/** Some tools return messages, or parts of one. */
function resultIn(output: unknown): unknown {
  const found = parsed(output);
  const [message] = readMessages([Array.isArray(found) ? { content: found } : found]);
  return message?.results[0] ?? (Array.isArray(found) && message?.text ? message.text : output);
}

function talkContent(kind: Kind, { attributes, events, resource }: OtlpSpan): Content {
  const details = Object.assign(bare(), attributes);
  for (const event of events) Object.assign(details, event.attributes);
  const given = [
    ...readMessages(details['gen_ai.input.messages']),
    ...numbered(attributes, 'llm.input_messages'),
    ...messagesIn(events).filter(({ role }) => role !== 'assistant'),
  ];
  const made = [
    ...readMessages(details['gen_ai.output.messages']),
    ...numbered(attributes, 'llm.output_messages'),
    ...messagesIn(events).filter(({ role }) => role === 'assistant'),
  ];
  const last = given.at(-1);
  const answer = made.at(-1);
  const service = text(resource['service.name']);
  const own = text(attributes['gen_ai.agent.name']) ?? text(attributes['agent.name']);
  const name = own ?? (service?.startsWith('unknown_service') ? undefined : service);
  return {
    ...(kind === 'agent' && name !== undefined && { name }),
    task: firstTask(given) ?? taskIn(details['pydantic_ai.all_messages']) ?? taskIn(attributes['input.value']),
    ...(last && { input: last.results.length > 0 ? plainText(last.results[0]) : last.text }),
    ...(last && last.results.length > 0 && { isResult: true }),
    output: answer ? decisionOf(answer) : textIfAny(attributes['output.value']),
  };
}

/** A task that an application was given in its own form: messages, a text, or an object with one text. */
function taskIn(value: unknown): string | undefined {
  const found = parsed(value);
  if (typeof found === 'string') return found;
  const task = firstTask(readMessages(found));
  if (task !== undefined || !isObject(found)) return task;
  const texts = Object.values(found).filter((one) => typeof one === 'string');
  return texts.length === 1 ? texts[0] : undefined;
}

/** Messages as events, named by their role or as a choice. */
function messagesIn(events: OtlpSpan['events']): Message[] {
  return events.flatMap(({ name, attributes }) => {
    const [, role] = /^gen_ai\.(\w+)(?:\.message)?$/.exec(name) ?? [];
    if (role === undefined) return [];
    const content = parsed(attributes['message'] ?? attributes['content']);
    const message = isObject(content) ? content : { content };
    return readMessages([{ ...attributes, ...message, role: role === 'choice' ? 'assistant' : role }]);
  });
}

/** Of names with points: `0.message.tool_calls.0.tool_call.function.arguments` has seven. */
const deepestName = 12;

/** OpenInference spells lists out: `llm.input_messages.0.message.role`. */
function numbered(attributes: Attributes, prefix: string): Message[] {
  const tree = bare();
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith(`${prefix}.`)) plant(tree, key.slice(prefix.length + 1).split('.', deepestName), value);
  }
  return readMessages(listOf(tree).map((one) => (isObject(one) ? unwrapped(one['message']) : one)));
}

function plant(tree: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = tree;
  for (const key of path.slice(0, -1)) {
    const below = at[key];
    const next = isObject(below) ? below : bare();
    at[key] = next;
    at = next;
  }
  at[path.at(-1) ?? ''] = value;
}

/** Without a prototype, so that no name reaches one. */
function bare(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

function listOf(tree: unknown): unknown[] {
  return isObject(tree) ? Object.values(tree) : [];
}

function unwrapped(message: unknown): unknown {
  if (!isObject(message)) return message;
  const calls = listOf(message['tool_calls']).map((one) => (isObject(one) ? one['tool_call'] : one));
  const contents = listOf(message['contents']).map((one) => (isObject(one) ? one['message_content'] : one));
  return { ...message, tool_calls: calls, content: message['content'] ?? contents };
}

/** Whether the run succeeded, if somebody judged it. A span without an error is no proof. */
function successOf({ attributes, events }: OtlpSpan): boolean | undefined {
  const told = attributes['whetstone.success'];
  if (typeof told === 'boolean') return told;
  const verdicts = events
    .filter(({ name }) => name === 'gen_ai.evaluation.result' || name === 'gen_ai.evaluation')
    .flatMap((event) => verdictIn(event.attributes) ?? []);
  return verdicts.length === 0 ? verdictIn(attributes) : verdicts.every((verdict) => verdict);
}

/** A label goes before a score: whoever judges knows the scale, and whether more of it is better. */
function verdictIn(attributes: Attributes): boolean | undefined {
  const label = text(attributes['gen_ai.evaluation.score.label'])?.toLowerCase();
  if (label !== undefined) return label === 'pass' || label === 'fail' ? label === 'pass' : undefined;
  const score = attributes['gen_ai.evaluation.score.value'];
  return typeof score === 'number' && score >= 0 && score <= 1 ? score >= 0.5 : undefined;
}

function exceptionIn({ events }: OtlpSpan): string {
  const exception = events.find(({ name }) => name === 'exception');
  return text(exception?.attributes['exception.message']) ?? 'error';
}

/** An id of ours is short and printable; anything else is none. */
function idIn(value: unknown): string | undefined {
  const id = text(value);
  return id !== undefined && /^[\x21-\x7e]{1,4096}$/.test(id) ? id : undefined;
}

function textIfAny(value: unknown): string | undefined {
  return value === undefined ? undefined : plainText(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
