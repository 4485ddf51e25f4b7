import type { LanguageModelMiddleware } from 'ai';

import { openingLine } from './advice-block.js';
import type { Run } from './run.js';
import { TurnBuilder } from './turn-builder.js';
import { readMessage } from './turns-from-messages.js';

type CallOptions = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params'];
type Prompt = CallOptions['prompt'];
type StreamResult = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>;
type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never;

/**
 * Middleware of the Vercel AI SDK for one run: adds its recommendations to the user's prompt, and records what the model says, its
 * tool calls and their results. You say whether the run succeeded, and when it is finished. Make one for each conversation.
 */
export function whetstoneMiddleware(run: Run): LanguageModelMiddleware {
  const builder = new TurnBuilder((turn) => run.turn(turn));
  /** Streams that have not ended; they never do if they are aborted. */
  const open = new Set<() => void>();
  run.beforeFinish(() => {
    for (const end of open) end();
    builder.end();
  });

  /** Calls that fail are not recorded, so those that the SDK repeats are recorded once. */
  function record(prompt: Prompt, content: readonly object[]): void {
    for (const message of newIn(prompt)) readMessage(builder, { ...message });
    readMessage(builder, { role: 'assistant', content });
  }

  return {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => ({ ...params, prompt: withAdvice(params.prompt, run) }),
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      record(params.prompt, result.content);
      return result;
    },
    async wrapStream({ doStream, params }) {
      const { stream, ...rest } = await doStream();
      const content: ContentPart[] = [];
      const end = () => {
        open.delete(end);
        if (content.length > 0) record(params.prompt, content);
      };
      open.add(end);
      const watched = new TransformStream<StreamPart, StreamPart>({
        transform(part, controller) {
          collect(content, part);
          controller.enqueue(part);
        },
        flush: end,
      });
      return { stream: stream.pipeThrough(watched), ...rest };
    },
  };
}

/** What came since the model last spoke: all before it was recorded, or belongs to earlier tasks of the conversation. */
function newIn(prompt: Prompt): Prompt {
  return prompt.slice(prompt.map(({ role }) => role).lastIndexOf('assistant') + 1);
}

/** Added in each step, as the SDK makes each prompt from the messages that the caller gave. */
function withAdvice(prompt: Prompt, { advice, query }: Run): Prompt {
  if (advice === '') return prompt;
  const withTask = prompt
    .map((message) => message.role === 'user' && textOf(message).includes(query))
    .lastIndexOf(true);
  const at = withTask >= 0 ? withTask : prompt.map(({ role }) => role).lastIndexOf('user');
  const message = prompt[at];
  if (message?.role !== 'user' || textOf(message).includes(openingLine)) return prompt;
  // To the last text rather than as another part: not every server that is like OpenAI's takes several.
  const textAt = message.content.map(({ type }) => type).lastIndexOf('text');
  const content = message.content.map((part, index) =>
    index === textAt && part.type === 'text' ? { ...part, text: `${part.text}\n\n${advice}` } : part,
  );
  if (textAt < 0) content.push({ type: 'text', text: advice });
  return [...prompt.slice(0, at), { ...message, content }, ...prompt.slice(at + 1)];
}

function textOf(message: Prompt[number]): string {
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

type ContentPart = { type: string; id?: string; text?: string } & object;

function collect(content: ContentPart[], part: StreamPart): void {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
    const type = part.type === 'text-delta' ? 'text' : 'reasoning';
    const begun = content.find((known) => known.type === type && known.id === part.id);
    if (begun) begun.text += part.delta;
    else content.push({ type, id: part.id, text: part.delta });
  } else if (part.type === 'tool-call' || part.type === 'tool-result') {
    content.push(part);
  }
}
