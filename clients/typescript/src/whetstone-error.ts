export interface WhetstoneErrorDetails {
  status?: number | undefined;
  code: string;
  retryable: boolean;
  retryAfterMs?: number | undefined;
  requestId?: string | undefined;
  cause?: unknown;
}

/** Why a call failed. */
export class WhetstoneError extends Error {
  override readonly name = 'WhetstoneError';
  /** Of the answer; undefined if there was none. */
  readonly status: number | undefined;
  /**
   * The server's `error`, such as `invalid_api_key` or `rate_limited`; `invalid` for a 422. Without a proper answer: `unreachable`,
   * `timeout`, `aborted` (by the caller's signal) or `unexpected_answer`, as from a proxy.
   */
  readonly code: string;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** Quote it to the operators. */
  readonly requestId: string | undefined;

  constructor(message: string, { status, code, retryable, retryAfterMs, requestId, cause }: WhetstoneErrorDetails) {
    super(message, cause === undefined ? {} : { cause });
    this.status = status;
    this.code = code;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.requestId = requestId;
  }

  /** The server refuses the key, or the key may not do this, or not in this tenant. */
  get refused(): boolean {
    return this.status === 401 || this.status === 403;
  }
}
