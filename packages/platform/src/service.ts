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
  /** Told for information; a dependency that is away fails its own operations, not the service. */
  dependencies: DependencyHealth[];
}

/** What every service factory returns, in whatever process it runs. */
export interface Service {
  start(): Promise<void>;
  /** It is going to be stopped: goes on serving, and sends callers that would come again elsewhere. */
  drain?(): void;
  /** Stops taking work, finishes or aborts what is in flight, releases what `start` took. Safe to call twice. */
  stop(): Promise<void>;
  health(): ServiceHealth;
}

/** What accompanies a call from one service to another: in process now, as gRPC metadata in a cluster. */
export interface CallContext {
  signal?: AbortSignal;
  /** When nobody waits for the answer any more, milliseconds since the epoch; what is called further on gets the same. */
  deadline?: number;
  requestId?: string;
}
