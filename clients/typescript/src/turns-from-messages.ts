import { textOf } from './recorded-turns.js';
import { isObject } from './transport.js';
import { type MessageTurn, TurnBuilder } from './turn-builder.js';

type Fields = Record<string, unknown>;

/**
 * The turns of a conversation: a message list of OpenAI's chat completions, the items of OpenAI's responses, messages of
 * Anthropic, or of the Vercel AI SDK. Instructions of the system are left out, and so is Whetstone's own advice. What is unknown is
 * skipped.
 */
export function turnsFromMessages(messages: readonly object[]): MessageTurn[] {
  const turns: MessageTurn[] = [];
  const builder = new TurnBuilder((turn) => turns.push(turn));
  for (const message of messages) if (isObject(message)) readMessage(builder, message);
  builder.end();
  return turns;
}

export function readMessage(builder: TurnBuilder, message: Fields): void {
  const { role } = message;
  if (role === 'assistant') {
    readParts(builder, message['content'], (text) => builder.said(text));
    if (typeof message['refusal'] === 'string') builder.said(message['refusal']);
    for (const call of listOf(message['tool_calls'])) readCall(builder, call);
    // The form before tool calls had ids.
    if (isObject(message['function_call'])) readCall(builder, { function: message['function_call'] });
  } else if (role === 'user') {
    readParts(builder, message['content'], (text) => builder.heard(text));
  } else if (role === 'tool' || role === 'function') {
    if (listOf(message['content']).some(isResult)) readParts(builder, message['content'], () => {});
    else builder.returned(text(message['tool_call_id'] ?? message['name']), contentText(message['content']));
  } else if (role === undefined) {
    readItem(builder, message);
  }
}

/** One of OpenAI's chat completions. */
function readCall(builder: TurnBuilder, call: Fields): void {
  const made = [call['function'], call['custom']].find(isObject);
  if (made) builder.called(text(call['id'] ?? made['name']), text(made['name']), made['arguments'] ?? made['input']);
}

/** Content of a message: text, or parts of which some are calls and results. */
function readParts(builder: TurnBuilder, content: unknown, tell: (text: string) => void): void {
  if (typeof content === 'string') {
    tell(content);
    return;
  }
  const words: string[] = [];
  const tellWords = () => {
    if (words.length > 0) tell(words.splice(0).join('\n'));
  };
  for (const part of listOf(content)) {
    if (isResult(part)) {
      tellWords();
      const id = text(part['tool_use_id'] ?? part['toolCallId']);
      const isError = part['is_error'] === true || part['isError'] === true;
      builder.returned(id, resultOf(part['content'] ?? part['output'] ?? part['result'], isError));
    } else if (['tool_use', 'server_tool_use', 'mcp_tool_use', 'tool-call'].includes(text(part['type']))) {
      tellWords();
      const name = text(part['name'] ?? part['toolName']);
      builder.called(text(part['id'] ?? part['toolCallId']), name, part['input'] ?? part['args']);
    } else {
      const said = part['text'] ?? part['thinking'] ?? part['refusal'];
      if (typeof said === 'string') words.push(said);
    }
  }
  tellWords();
}

/** `tool_result` and the likes of `web_search_tool_result` of Anthropic, `tool-result` of the AI SDK. */
function isResult(part: Fields): boolean {
  return /^(\w+_)?tool_result$|^tool-(result|error)$/.test(text(part['type']));
}

/** An item of OpenAI's responses that is no message: a call, its output, or reasoning. */
function readItem(builder: TurnBuilder, item: Fields): void {
  const type = text(item['type']);
  const id = text(item['call_id'] ?? item['id']);
  if (type === 'reasoning') {
    builder.said(contentText(item['summary']));
  } else if (type.endsWith('_call_output')) {
    builder.returned(id, contentText(item['output']));
  } else if (type.endsWith('_call')) {
    const name = text(item['name'] ?? type.slice(0, -'_call'.length));
    builder.called(id, name, item['arguments'] ?? item['input'] ?? item['action'] ?? item['queries'] ?? item['code']);
    // Calls that the provider makes itself carry what came of them.
    const result = item['error'] ?? item['output'] ?? item['results'] ?? item['outputs'];
    if (result !== undefined && result !== null) builder.returned(id, contentText(result));
  }
}

/** Of the AI SDK: `{type: 'json', value}`. Of Anthropic: text or parts. */
function resultOf(result: unknown, isError: boolean): string {
  const tagged = isObject(result) && 'value' in result && typeof result['type'] === 'string';
  const said = contentText(tagged ? result['value'] : result);
  const failed = isError || (tagged && text(result['type']).startsWith('error'));
  return failed && !/^\W*error/i.test(said) ? `Error: ${said}` : said;
}

/** Text as it is, the text of parts, or JSON. */
function contentText(content: unknown): string {
  const parts = listOf(content);
  const texts = parts.map((part) => part['text']).filter((said) => typeof said === 'string');
  return parts.length > 0 && texts.length === parts.length ? texts.join('\n') : (textOf(content) ?? '');
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
