import { withoutAdvice } from './advice-block.js';
import { jsonOf } from './recorded-turns.js';

/** One step of an agent: what it saw, what it did, what came back. */
export interface Turn {
  inputs: unknown;
  decision: unknown;
  result?: unknown;
  memory?: unknown;
}

/** A turn as `turnsFromMessages` makes it. */
export interface MessageTurn extends Turn {
  turn: number;
  inputs: string;
  decision: string;
  result?: string;
  memory?: string;
}

/**
 * Makes turns of what was said and done, in order. Each tool call is a turn, with its result and, as its memory, what the model
 * said before it. Words without a call are a turn, whose result is what was said next. A turn is handed on when the model acts
 * again, and until then waits for its result.
 */
export class TurnBuilder {
  readonly #emit: (turn: MessageTurn) => void;
  #count = 0;
  #heard: string[] = [];
  #said: string[] = [];
  #open: { id: string | undefined; turn: MessageTurn }[] = [];
  /** Whether the model has acted on what was heard. */
  #acted = false;

  constructor(emit: (turn: MessageTurn) => void) {
    this.#emit = emit;
  }

  /** What a person or an environment told the model. */
  heard(text: string): void {
    this.#endWords();
    this.#hear(text);
    for (const { id, turn } of this.#open) if (id === undefined) turn.result ??= withoutAdvice(text);
  }

  /** Words or thoughts of the model. */
  said(text: string): void {
    if (text.trim() === '') return;
    this.#beginActing();
    this.#said.push(withoutAdvice(text));
  }

  called(id: string, name: string, args: unknown): void {
    this.#beginActing();
    const memory = this.#said.splice(0).join('\n');
    const decision = jsonOf({ name, arguments: parsed(args) ?? {} }) ?? name;
    this.#add(id, { decision: withoutAdvice(decision), ...(memory === '' ? {} : { memory }) });
  }

  returned(id: string, result: string): void {
    this.#endWords();
    this.#hear(result);
    const open = this.#open.find((candidate) => candidate.id === id && candidate.turn.result === undefined);
    if (open) open.turn.result = withoutAdvice(result);
  }

  end(): void {
    this.#endWords();
    this.#emitOpen();
  }

  #hear(text: string): void {
    if (this.#acted) this.#heard = [];
    this.#acted = false;
    if (text !== '') this.#heard.push(withoutAdvice(text));
  }

  #beginActing(): void {
    if (!this.#acted) this.#emitOpen();
    this.#acted = true;
  }

  #endWords(): void {
    const decision = this.#said.splice(0).join('\n');
    if (decision !== '') this.#add(undefined, { decision });
  }

  #add(id: string | undefined, done: { decision: string; memory?: string }): void {
    this.#count += 1;
    this.#open.push({ id, turn: { turn: this.#count, inputs: this.#heard.join('\n'), ...done } });
  }

  #emitOpen(): void {
    for (const { turn } of this.#open.splice(0)) this.#emit(turn);
  }
}

/** Arguments come as JSON text or as values. */
function parsed(args: unknown): unknown {
  if (typeof args !== 'string') return args;
  if (args.trim() === '') return undefined;
  try {
    return JSON.parse(args);
  } catch (error) {
    if (error instanceof SyntaxError) return args;
    throw error;
  }
}
