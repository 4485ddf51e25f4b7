export interface DependencyHealth {
  name: string;
  ok: boolean;
  detail?: string;
}

export interface ServiceHealth {
  /** Event loop and consumer loop alive; never about dependencies. */
  live: boolean;
  /** Started, views read once, not draining. */
  ready: boolean;
  /** For information. A dependency that is away fails its own operations, not the service. */
  dependencies: DependencyHealth[];
}

/** Returned by every service factory. */
export interface Service {
  start(): Promise<void>;
  /** Before a stop: goes on serving, and asks callers to reconnect elsewhere. */
  drain?(): void;
  /** Stops taking work, finishes or aborts work in flight, releases what `start` acquired. Idempotent. */
  stop(): Promise<void>;
  health(): ServiceHealth;
}

/** Context of a call between services; in a cluster it travels as gRPC metadata. */
export interface CallContext {
  signal?: AbortSignal;
  /** Deadline, milliseconds since the epoch; passed on to further calls. */
  deadline?: number;
  requestId?: string;
}
