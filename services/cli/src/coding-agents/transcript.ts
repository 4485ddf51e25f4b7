import { withoutAdvice } from '@whetstone/reading';

/*
 * Reads the transcripts of coding agents. A run is one prompt of the user with the tool calls up to the next prompt. Entries that
 * are not needed, or not known, are skipped and counted: agents add new kinds with every version.
 */

export interface TranscriptTurn {
  turn: number;
  inputs: string;
  decision: string;
  memory?: string;
  result?: string;
}

export interface TranscriptRun {
  query: string;
  /** When the prompt was sent, as the transcript has it. */
  timestamp?: string;
  turns: TranscriptTurn[];
}

export interface Transcript {
  /** Those with at least one tool call. */
  runs: TranscriptRun[];
  entries: number;
  skipped: number;
  /** Lines that are not JSON: usually the last one, half written. */
  broken: number;
}

/** What the readers of both formats find in the entries, in order. */
type Happening =
  | { kind: 'prompt'; text: string; timestamp?: string }
  | { kind: 'words'; text: string }
  | { kind: 'call'; id: string; decision: string }
  | { kind: 'result'; id: string; text: string };

type Json = Record<string, unknown>;

export function readTranscript(text: string): Transcript {
  const told: Transcript = { runs: [], entries: 0, skipped: 0, broken: 0 };
  const happenings: Happening[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    told.entries++;
    const entry = parsed(line);
    if (!entry) {
      told.broken++;
      continue;
    }
    const found = 'payload' in entry ? inCodex(entry) : inClaudeCode(entry);
    if (found.length === 0) told.skipped++;
    happenings.push(...found);
  }
  told.runs = runsOf(happenings);
  return told;
}

function parsed(line: string): Json | undefined {
  try {
    return objectOf(JSON.parse(line));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** `{type, timestamp, isMeta, isSidechain, message: {content: text | blocks}}` */
function inClaudeCode(entry: Json): Happening[] {
  const { type, isMeta, isSidechain } = entry;
  if ((type !== 'user' && type !== 'assistant') || isMeta === true || isSidechain === true) return [];
  const content = objectOf(entry['message'])?.['content'];
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  const found: Happening[] = [];
  const words: string[] = [];
  for (const block of blocks.map(objectOf)) {
    if (block?.['type'] === 'text' && typeof block['text'] === 'string') words.push(block['text']);
    else if (block?.['type'] === 'tool_use') {
      found.push({ kind: 'call', id: String(block['id']), decision: decisionOf(block['name'], block['input']) });
    } else if (block?.['type'] === 'tool_result') {
      found.push({ kind: 'result', id: String(block['tool_use_id']), text: textOf(block['content']) });
    }
  }
  if (words.length === 0) return found;
  const text = words.join('\n');
  if (type === 'assistant') return [{ kind: 'words', text }, ...found];
  // Words beside results come from the agent, not from the user.
  return found.length > 0 ? found : promptOf(text, entry);
}

/** `{type, timestamp, payload: {type, …}}` */
function inCodex(entry: Json): Happening[] {
  const payload = objectOf(entry['payload']) ?? {};
  const kind = `${entry['type']} ${payload['type']}`;
  const id = String(payload['call_id']);
  switch (kind) {
    case 'event_msg user_message':
      return promptOf(textOf(payload['message']), entry);
    case 'response_item message':
      if (payload['role'] === 'user') return promptOf(textOf(payload['content']), entry);
      return payload['role'] === 'assistant' ? [{ kind: 'words', text: textOf(payload['content']) }] : [];
    case 'response_item function_call':
      return [{ kind: 'call', id, decision: decisionOf(payload['name'], parsedArguments(payload['arguments'])) }];
    case 'response_item custom_tool_call':
      return [{ kind: 'call', id, decision: decisionOf(payload['name'], payload['input']) }];
    case 'response_item local_shell_call':
      return [{ kind: 'call', id, decision: decisionOf('shell', payload['action']) }];
    case 'response_item function_call_output':
    case 'response_item custom_tool_call_output':
      return [{ kind: 'result', id, text: withoutHeader(textOf(payload['output'])) }];
    default:
      return [];
  }
}

/** Parts that the agent adds to what the user wrote. */
const added = /<(system-reminder|environment_context|user_instructions|ide_[a-z_]+)>[\s\S]*?<\/\1>/g;
/** What the agent records in place of a prompt: its own commands and notes, in tags; instructions; interruptions. */
const notAPrompt = /^(?:<[\w-]+[^>]*>[\s\S]*<\/[\w-]+>$|# AGENTS\.md instructions|\[Request interrupted)/;

/** Codex writes a few lines above what a command printed. Of these, only a failure matters. */
function withoutHeader(text: string): string {
  const [header] = /^(?:Chunk ID|Exit code|Wall time)[\s\S]{0,400}?\nOutput:\n/.exec(text) ?? [];
  if (header === undefined) return text;
  const code = /(?:exited with code|Exit code:) (\d+)/.exec(header)?.[1] ?? '0';
  return `${code === '0' ? '' : `exit code ${code}\n`}${text.slice(header.length)}`;
}

function promptOf(text: string, { timestamp }: Json): Happening[] {
  const own = withoutAdvice(text.replace(added, '')).trim();
  if (own === '' || notAPrompt.test(own)) return [];
  return [{ kind: 'prompt', text: own, ...(typeof timestamp === 'string' && { timestamp }) }];
}

function runsOf(happenings: readonly Happening[]): TranscriptRun[] {
  const runs: TranscriptRun[] = [];
  let run: TranscriptRun | undefined;
  let words = '';
  let calls = new Map<string, TranscriptTurn>();
  for (const happening of happenings) {
    if (happening.kind === 'prompt') {
      const { text, timestamp } = happening;
      // Some versions of Codex record a prompt twice, as a message and as an event.
      if (run?.query === clipped(text, most.query) && run.turns.length === 0) continue;
      run = { query: clipped(text, most.query), turns: [], ...(timestamp && { timestamp }) };
      runs.push(run);
      words = '';
      calls = new Map();
    } else if (happening.kind === 'words') {
      words = happening.text;
    } else if (happening.kind === 'call' && run) {
      const turn: TranscriptTurn = {
        turn: run.turns.length + 1,
        inputs: run.turns.findLast(({ result }) => result !== undefined)?.result ?? run.query,
        decision: clipped(withoutAdvice(happening.decision), most.decision),
        ...(words !== '' && { memory: clipped(withoutAdvice(words), most.result) }),
      };
      words = '';
      run.turns.push(turn);
      calls.set(happening.id, turn);
    } else if (happening.kind === 'result') {
      const turn = calls.get(happening.id);
      if (turn) turn.result = clipped(withoutAdvice(happening.text), most.result);
    }
  }
  for (const { turns } of runs) {
    // The start tells the approach, the end the outcome.
    if (turns.length > most.turns) turns.splice(most.turns / 2, turns.length - most.turns);
  }
  return runs.filter(({ turns }) => turns.length > 0);
}

/** In characters and turns; the largest run stays below the 4 MiB that a body may have. */
const most = { query: 16_000, decision: 4_000, result: 2_000, turns: 100 };

/** Keeps the start and the end, where a tool says what it did and how it ended. */
function clipped(text: string, limit: number): string {
  if (text.length <= limit) return wellFormed(text);
  const half = Math.floor(limit / 2) - 3;
  return wellFormed(`${text.slice(0, half)}\n[…]\n${text.slice(-half)}`);
}

/** A cut can halve a character, and half a character is refused. */
function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

/** A shell command as it is; any other call as its name and arguments. */
function decisionOf(name: unknown, input: unknown): string {
  const { command, cmd } = objectOf(input) ?? {};
  const shell = command ?? cmd;
  if (typeof shell === 'string') return shell;
  if (Array.isArray(shell)) {
    const words = shell.map(String);
    return /^-l?c$/.test(words[1] ?? '') ? words.slice(2).join(' ') : words.join(' ');
  }
  return `${String(name)} ${typeof input === 'string' ? input : JSON.stringify(input ?? {})}`;
}

function parsedArguments(text: unknown): unknown {
  return typeof text === 'string' ? (parsed(text) ?? text) : text;
}

/** Text, or blocks with text. Codex wraps what a command printed: `{"output": …, "metadata": …}`. */
function textOf(content: unknown): string {
  if (typeof content === 'string') {
    const output = content.startsWith('{"output":') ? parsed(content)?.['output'] : undefined;
    return typeof output === 'string' ? output : content;
  }
  return listOf(content)
    .map((block) => objectOf(block)?.['text'])
    .filter((text) => typeof text === 'string')
    .join('\n');
}

function objectOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
