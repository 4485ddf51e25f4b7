export interface RenewConnectionsOptions {
  /** About how old a connection may become. */
  ageMs: number;
  /** Resolves at a good moment for it. */
  moment(): Promise<void>;
  /** Tells all callers to make their next calls on new connections. */
  end(): void;
}

/** Ends the connections to this server again and again. Returns how to end that. */
export function renewConnections({ ageMs, moment, end }: RenewConnectionsOptions): () => void {
  let timer: NodeJS.Timeout;
  let stopped = false;

  function plan(): void {
    // Some sooner, some later, so that not all replicas do it at once.
    timer = setTimeout(() => void renew(), ageMs * (0.9 + 0.2 * Math.random())).unref();
  }

  async function renew(): Promise<void> {
    await moment();
    if (stopped) return;
    end();
    plan();
  }

  plan();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
