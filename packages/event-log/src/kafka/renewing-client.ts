/** A producer or an admin of kafkajs. */
interface Client {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/** kafkajs keeps connections that do not answer: after so long without a success it gets new ones. */
const renewAfterMs = 10_000;

/** Connects when it is first used, and begins anew when nothing has worked for a while. */
export class RenewingClient<Kind extends Client> {
  readonly #create: () => Kind;
  readonly #nowMs: () => number;
  #client: Kind;
  #connected: Promise<void> | undefined;
  #failingSinceMs: number | undefined;
  #closed = false;

  constructor(create: () => Kind, nowMs = () => performance.now()) {
    this.#create = create;
    this.#nowMs = nowMs;
    this.#client = create();
  }

  async use<Result>(work: (client: Kind) => Promise<Result>): Promise<Result> {
    try {
      const result = await work(await this.#connect());
      this.#failingSinceMs = undefined;
      return result;
    } catch (error) {
      this.#renewIfStuck();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client.disconnect().catch(() => {});
  }

  async #connect(): Promise<Kind> {
    const client = this.#client;
    this.#connected ??= client.connect();
    try {
      await this.#connected;
    } catch (error) {
      if (this.#client === client) this.#connected = undefined;
      throw error;
    }
    return client;
  }

  #renewIfStuck(): void {
    this.#failingSinceMs ??= this.#nowMs();
    if (this.#closed || this.#nowMs() - this.#failingSinceMs < renewAfterMs) return;
    this.#failingSinceMs = undefined;
    this.#client.disconnect().catch(() => {});
    this.#client = this.#create();
    this.#connected = undefined;
  }
}
