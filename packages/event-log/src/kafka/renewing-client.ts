import { settleWithin } from '@whetstone/platform';

/** A producer or an admin of kafkajs, and how to end what it leaves behind. */
export interface Renewable<Kind> {
  client: Kind;
  destroy(): void;
}

interface Client {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/** kafkajs keeps connections that do not answer: after so long without a success it gets new ones. */
const renewAfterMs = 10_000;
const closeWithinMs = 3000;

/** Connects when it is first used, and begins anew when nothing has worked for a while. */
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
