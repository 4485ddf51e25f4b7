/** So long a count is taken to be true. */
const freshMs = 60_000;

interface Entry {
  count: Promise<number>;
  asOfMs: number;
}

/** How many partitions each topic has: asked for when it is first needed, and now and then again, in the background. */
export class TopicDirectory {
  readonly #ask: (topic: string) => Promise<number>;
  readonly #topics = new Map<string, Entry>();

  constructor(ask: (topic: string) => Promise<number>) {
    this.#ask = ask;
  }

  /** Those who call one after another get their answers one after another. */
  partitionsOf(topic: string): Promise<number> {
    const entry = this.#topics.get(topic);
    if (!entry) return this.#first(topic);
    if (performance.now() - entry.asOfMs > freshMs) this.#refresh(topic, entry);
    return entry.count;
  }

  #first(topic: string): Promise<number> {
    const count = this.#ask(topic);
    this.#topics.set(topic, { count, asOfMs: performance.now() });
    count.catch(() => this.#topics.delete(topic));
    return count;
  }

  #refresh(topic: string, entry: Entry): void {
    entry.asOfMs = performance.now();
    this.#ask(topic).then(
      (count) => this.#topics.set(topic, { count: Promise.resolve(count), asOfMs: entry.asOfMs }),
      () => {},
    );
  }
}
