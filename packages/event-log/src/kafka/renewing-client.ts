import { settleWithin } from '@whetstone/platform';

/** A kafkajs producer or admin, and how to destroy its connections. */
export interface Renewable<Kind> {
  client: Kind;
  destroy(): void;
}

interface Client {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/** kafkajs keeps dead connections: after so long without a success the client is replaced. */
const renewAfterMs = 10_000;
const closeWithinMs = 3000;

/** Connects on first use, and replaces the client when nothing has worked for a while. */
export class RenewingClient<Kind extends Client> {
  readonly #create: () => Renewable<Kind>;
  readonly #nowMs: () => number;
  #current: Renewable<Kind>;
  #connected: Promise<void> | undefined;
  #failingSinceMs: number | undefined;
  #closed = false;

  constructor(create: () => Renewable<Kind>, nowMs = () => performance.now()) {
    this.#create = create;
    this.#nowMs = nowMs;
    this.#current = create();
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
    const { client, destroy } = this.#current;
    await settleWithin(client.disconnect(), closeWithinMs);
    destroy();
  }

  async #connect(): Promise<Kind> {
    const { client } = this.#current;
    this.#connected ??= client.connect();
    try {
      await this.#connected;
    } catch (error) {
      if (this.#current.client === client) this.#connected = undefined;
      throw error;
    }
    return client;
  }

  #renewIfStuck(): void {
    this.#failingSinceMs ??= this.#nowMs();
    if (this.#closed || this.#nowMs() - this.#failingSinceMs < renewAfterMs) return;
    this.#failingSinceMs = undefined;
    this.#current.destroy();
    this.#current = this.#create();
    this.#connected = undefined;
  }
}
