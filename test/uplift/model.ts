import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

export interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** A model at temperature 0: the same messages give the same reply. */
export type Chat = (messages: readonly Message[]) => Promise<string>;

export interface ModelAddress {
  /** Shown in reports, and tells replies of different models apart. */
  name: string;
  baseUrl: string;
  apiKey: string;
}

interface Kept {
  model: string;
  messages: readonly Message[];
  reply: string;
  ms: number;
  promptTokens?: number;
}

const patienceMs = 20 * 60_000;

/**
 * Keeps every prompt with its reply in a file, and asks the same only once: a run goes on where it ended, and where advice says nothing
 * the agent does what it does without.
 */
export function createChat(name: string, file: string, open: () => Promise<ModelAddress>): Chat {
  const known = new Map<string, string>();
  const keyOf = (model: string, messages: readonly Message[]) => JSON.stringify([model, messages]);
  for (const { model, messages, reply } of readLines<Kept>(file)) known.set(keyOf(model, messages), reply);
  return async (messages) => {
    const key = keyOf(name, messages);
    const before = known.get(key);
    if (before !== undefined) return before;
    const began = Date.now();
    const { reply, promptTokens } = await ask(await open(), messages);
    const kept: Kept = {
      model: name,
      messages,
      reply,
      ms: Date.now() - began,
      ...(promptTokens ? { promptTokens } : {}),
    };
    known.set(key, reply);
    appendLine(file, kept);
    return reply;
  };
}

async function ask({ baseUrl, apiKey, name }: ModelAddress, messages: readonly Message[]) {
  const answer = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    // Text after a closed fence is talk.
    body: JSON.stringify({ model: name, messages, temperature: 0, max_tokens: 160, stop: ['\n```\n'] }),
    signal: AbortSignal.timeout(patienceMs),
  });
  if (!answer.ok) throw new Error(`The model answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
  const { choices, usage } = (await answer.json()) as {
    choices: { message: { content: string | null } }[];
    usage?: { prompt_tokens?: number };
  };
  return { reply: choices[0]?.message.content ?? '', promptTokens: usage?.prompt_tokens };
}

/** Removes a last line cut off by a kill, so that more can be appended. */
export function readLines<T>(file: string): T[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) writeFileSync(file, whole);
  return whole
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as T);
}

export function appendLine(file: string, value: unknown): void {
  appendFileSync(file, `${JSON.stringify(value)}\n`);
}
