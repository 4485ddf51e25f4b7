import { withoutAdvice } from './advice-block.js';
import type { Turn } from './turn-builder.js';

export interface RecordLimits {
  /** Characters of a value. */
  valueChars: number;
  /** Bytes of all turns of a run, as JSON. */
  bytes: number;
}

/** A body may have 4 MiB; the rest is for the task and the metadata. */
export const recordLimits: RecordLimits = { valueChars: 32 * 1024, bytes: 3 * 1024 * 1024 };

interface Kept {
  json: string;
  bytes: number;
}

/**
 * The turns of a run as JSON, within limits however many there are: the first and the last are kept, half of the bytes each. The
 * numbers of the turns show the gap between them.
 */
export class RecordedTurns {
  readonly #limits: RecordLimits;
  readonly #first: Kept[] = [];
  readonly #last: Kept[] = [];
  #firstBytes = 0;
  #lastBytes = 0;
  /** Where the last ones begin; a queue that moves its end rather than its contents. */
  #from = 0;
  /** How many were added. */
  count = 0;
  /** Values that were cut. */
  shortened = 0;
  /** Turns that were left out. */
  leftOut = 0;

  constructor(limits: RecordLimits = recordLimits) {
    this.#limits = limits;
  }

  add({ inputs, decision, result, memory }: Turn): void {
    this.count += 1;
    const json = JSON.stringify({
      turn: this.count,
      inputs: this.#text(inputs) ?? '',
      decision: this.#text(decision) ?? '',
      result: this.#text(result),
      memory: this.#text(memory),
    });
    const kept = { json, bytes: bytesOf(json) + 1 };
    const half = this.#limits.bytes / 2;
    if (this.#last.length === 0 && this.#firstBytes + kept.bytes <= half) {
      this.#first.push(kept);
      this.#firstBytes += kept.bytes;
      return;
    }
    this.#last.push(kept);
    this.#lastBytes += kept.bytes;
    while (this.#lastBytes > half && this.#from < this.#last.length - 1) {
      this.#lastBytes -= this.#last[this.#from]?.bytes ?? 0;
      this.#from += 1;
      this.leftOut += 1;
    }
    if (this.#from > 1000) {
      this.#last.splice(0, this.#from);
      this.#from = 0;
    }
  }

  /** A JSON array. */
  toJson(): string {
    return `[${[...this.#first, ...this.#last.slice(this.#from)].map(({ json }) => json).join(',')}]`;
  }

  #text(value: unknown): string | undefined {
    const text = textOf(value);
    if (text === undefined) return undefined;
    const own = withoutAdvice(text);
    if (own.length > this.#limits.valueChars) this.shortened += 1;
    return shorten(own, this.#limits.valueChars);
  }
}

/** Keeps the beginning and the end, and says how much is missing between them. */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return wellFormed(text);
  const head = Math.ceil(maxChars * 0.75);
  const tail = maxChars - head;
  const mark = `\n… [${text.length - maxChars} characters left out] …\n`;
  return wellFormed(`${text.slice(0, head)}${mark}${text.slice(text.length - tail)}`);
}

/** The server refuses halves of surrogate pairs, which come of cutting. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}

/** Text as it is, anything else as JSON. Agents record anything, so it never throws. */
export function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  try {
    const shown = plain(value);
    return typeof shown === 'string' ? shown : (jsonOf(value) ?? String(value));
  } catch (error) {
    return `${Object.prototype.toString.call(value)} (${error instanceof Error ? error.message : 'unreadable'})`;
  }
}

/** JSON as the server takes it, with circles cut. Undefined if there is none, as of a function. */
export function jsonOf(value: unknown): string | undefined {
  const ancestors: unknown[] = [];
  return JSON.stringify(value, function (this: Record<string, unknown>, key: string, json: unknown): unknown {
    // Not `json`: Buffers and dates have said what they are by then.
    const shown = ArrayBuffer.isView(this[key]) ? plain(this[key]) : plain(json);
    if (typeof shown !== 'object' || shown === null) return shown;
    while (ancestors.length > 0 && ancestors.at(-1) !== this) ancestors.pop();
    if (ancestors.includes(shown)) return '[circular]';
    ancestors.push(shown);
    return shown;
  });
}

/** What JSON would lose or refuse, as something that it has a word for. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))) return String(value);
  if (value instanceof Error) return String(value);
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  return value;
}

export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
