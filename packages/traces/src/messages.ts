/** A message of a conversation with a model, whoever wrote it down. */
export interface Message {
  role: string;
  /** Without calls and results. */
  text: string;
  calls: { name: string; input: unknown }[];
  /** What tools returned. */
  results: unknown[];
}

/**
 * Reads a list of messages as the usual interfaces and conventions spell them: OpenAI, Anthropic, Bedrock, the Vercel AI
 * SDK, LangChain, and OpenTelemetry's parts. A text is read as JSON. Anything else makes an empty list.
 */
export function readMessages(value: unknown): Message[] {
  const found = parsed(value);
  const list = Array.isArray(found) ? found : isObject(found) ? found['messages'] : undefined;
  if (!Array.isArray(list)) return [];
  // LangChain sends one list per prompt.
  const messages = list.length > 0 && list.every(isListOfObjects) ? list.flat() : list;
  return messages.flatMap((one) => messageOf(one) ?? []);
}

/** The text that the user began with. */
export function firstTask(messages: readonly Message[]): string | undefined {
  return messages.find(({ role, text }) => isUser(role) && text !== '')?.text;
}

/** What an assistant did: its calls, otherwise its words. */
export function decisionOf({ calls, text }: Message): string {
  return calls.length > 0 ? calls.map(({ name, input }) => callText(name, input)).join('\n') : text;
}

/** A call as `name({…})`. */
export function callText(name: string, input: unknown): string {
  const given = parsed(input);
  return `${name}(${given === undefined || given === '' ? '' : jsonOf(given)})`;
}

/** As text: JSON if it is anything else. */
export function plainText(value: unknown): string {
  const found = typeof value === 'string' && value.startsWith('"') ? parsed(value) : value;
  return typeof found === 'string' ? found : jsonOf(found);
}

/** The value of a text that is JSON, and anything else as it is. Deep JSON stays a text: nobody could write it again. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value) || isDeep(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const maxDepth = 200;

/** Brackets in strings count too, which only makes it more careful. */
function isDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x5d || code === 0x7d) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function messageOf(one: unknown): Message | undefined {
  // LangChain also takes pairs of a role and a text.
  if (Array.isArray(one)) {
    const [role, text] = one as unknown[];
    return typeof role === 'string' && typeof text === 'string' ? { role, text, calls: [], results: [] } : undefined;
  }
  if (!isObject(one)) return undefined;
  // LangChain wraps what it serialises.
  const fields = [one['kwargs'], one['data'], one].find(isObject) ?? one;
  const role = textIn(fields, 'role', 'type') ?? '';
  const message: Message = { role, text: '', calls: [], results: [] };
  const content = fields['parts'] ?? fields['content'];
  const texts: string[] = [];
  for (const part of Array.isArray(content) ? content : [content]) addPart(message, texts, part);
  const calls = fields['tool_calls'] ?? fields['toolCalls'];
  for (const call of Array.isArray(calls) ? calls : []) addCall(message, call);
  message.text = texts.join('\n').trim();
  if (isToolRole(role) && message.results.length === 0) {
    message.results.push(message.text);
    message.text = '';
  }
  return message;
}

function addPart(message: Message, texts: string[], part: unknown): void {
  if (typeof part === 'string') texts.push(part);
  if (!isObject(part)) return;
  const type = textIn(part, 'type') ?? '';
  const result = part['toolResult'] ?? part['tool_result'];
  if (result !== undefined) message.results.push(isObject(result) ? contentOf(result) : result);
  else if (/result|response/.test(type)) message.results.push(contentOf(part));
  else if (part['toolUse'] !== undefined || /tool/.test(type)) addCall(message, part['toolUse'] ?? part);
  else {
    const text = textIn(part, 'text', 'content');
    if (text !== undefined) texts.push(text);
  }
}

function contentOf(result: Record<string, unknown>): unknown {
  const { output, response, result: given, content } = result;
  return output ?? response ?? given ?? content ?? '';
}

function addCall(message: Message, call: unknown): void {
  if (!isObject(call)) return;
  const fields = isObject(call['function']) ? call['function'] : call;
  const name = textIn(fields, 'name', 'toolName');
  if (name === undefined) return;
  message.calls.push({ name, input: fields['arguments'] ?? fields['input'] ?? fields['args'] ?? {} });
}

function textIn(fields: Record<string, unknown>, ...names: string[]): string | undefined {
  return names.map((name) => fields[name]).find((value) => typeof value === 'string');
}

function isUser(role: string): boolean {
  return role === 'user' || role === 'human';
}

function isToolRole(role: string): boolean {
  return role === 'tool' || role === 'function';
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject);
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
