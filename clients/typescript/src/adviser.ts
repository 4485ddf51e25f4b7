import { closingLine, openingLine } from './advice-block.js';
import type { Circuit } from './circuit.js';
import type { Schemas } from './operations.js';
import type { ProblemHandler } from './problems.js';
import { shorten } from './recorded-turns.js';
import { type Connection, isObject, send } from './transport.js';
import { WhetstoneError } from './whetstone-error.js';

/** Characters that are sent of a task, and of each fact about it: well below the server's 256 KiB. */
const taskChars = 48 * 1024;
const factChars = 2 * 1024;

export type Advice = Schemas['EnhancedResponse'];

export interface AdviserOptions {
  connection: Connection;
  circuit: Circuit;
  timeoutMs: number;
  tell: ProblemHandler;
}

/** Asks for recommendations within a time limit, and never throws: without an answer, the agent works on the plain task. */
export class Adviser {
  /** Tasks with an answer, whether or not it had recommendations. */
  advised = 0;
  /** Tasks without. */
  away = 0;
  readonly #options: AdviserOptions;

  constructor(options: AdviserOptions) {
    this.#options = options;
  }

  async ask(
    task: string,
    { context, ...others }: Omit<Schemas['AgentInput'], 'input_text'>,
  ): Promise<Advice | undefined> {
    const { connection, circuit, timeoutMs } = this.#options;
    if (!circuit.admits()) {
      this.away += 1;
      return undefined;
    }
    try {
      const asked = shorten(task, taskChars);
      const facts = Object.entries(context ?? {}).map(([name, fact]) => [name, shorten(String(fact), factChars)]);
      const body = { ...others, input_text: asked, context: context ? Object.fromEntries(facts) : null };
      const advice = checked(await send(connection, { method: 'POST', path: '/enhance_task', body, timeoutMs }), asked);
      circuit.answered();
      this.advised += 1;
      return { ...advice, response: task + advice.response.slice(asked.length) };
    } catch (error) {
      this.away += 1;
      this.#report(error);
      return undefined;
    }
  }

  #report(error: unknown): void {
    const { circuit, tell } = this.#options;
    const { message, refused, retryable, retryAfterMs } =
      error instanceof WhetstoneError
        ? error
        : { message: String(error), refused: false, retryable: true, retryAfterMs: undefined };
    // What is wrong with one task says nothing about the next.
    const isAboutTask = error instanceof WhetstoneError && !refused && !retryable && (error.status ?? 500) < 500;
    if (isAboutTask) circuit.answered();
    else circuit.failed(retryAfterMs);
    if (refused) tell({ kind: 'key', message: `the server refuses the key: ${message}. Check WHETSTONE_KEY`, error });
    else tell({ kind: 'advice', message: `no recommendations: ${message}`, error });
  }
}

/** The task comes first, unchanged: anything else is not from Whetstone, and not for the agent. */
function checked(answer: unknown, task: string): Advice {
  const { response, metadata } = isObject(answer) ? answer : {};
  const isAnswer =
    typeof response === 'string' &&
    response.startsWith(task) &&
    isAdvice(response.slice(task.length)) &&
    isObject(metadata) &&
    typeof metadata['enhancement_id'] === 'string' &&
    Array.isArray(metadata['recommendations']);
  if (isAnswer) return answer as Advice;
  const message = 'POST /enhance_task: not an answer from Whetstone. Is something else at this address?';
  throw new WhetstoneError(message, { code: 'unexpected_answer', retryable: true });
}

function isAdvice(added: string): boolean {
  return added === '' || (added.trimStart().startsWith(openingLine) && added.trimEnd().endsWith(closingLine));
}
