export interface CircuitTimes {
  /** How long nobody calls after the first failure; it doubles with each further one. */
  pauseMs: number;
  longestPauseMs: number;
}

export const circuitTimes: CircuitTimes = { pauseMs: 10_000, longestPauseMs: 60_000 };

/** However long a server asks to be left alone. */
const longestAskedMs = 600_000;

/**
 * Spares callers a server that does not answer. After a failure it is open: nobody calls. After a pause it lets one call through,
 * whose outcome closes it or opens it for twice as long.
 */
export class Circuit {
  readonly #times: CircuitTimes;
  readonly #now: () => number;
  #failures = 0;
  #openUntil = 0;
  #probing = false;

  constructor(times: CircuitTimes = circuitTimes, now: () => number = () => performance.now()) {
    this.#times = times;
    this.#now = now;
  }

  /** Whether to call now. Whoever gets `true` reports how it went. */
  admits(): boolean {
    if (this.#failures === 0) return true;
    if (this.#probing || this.#now() < this.#openUntil) return false;
    this.#probing = true;
    return true;
  }

  answered(): void {
    this.#failures = 0;
    this.#openUntil = 0;
    this.#probing = false;
  }

  /** @param askedMs how long the server asks to wait */
  failed(askedMs?: number): void {
    // Calls that were under way together fail together, and count once.
    const isNews = this.#probing || this.#now() >= this.#openUntil;
    this.#probing = false;
    if (isNews) this.#failures += 1;
    const { pauseMs, longestPauseMs } = this.#times;
    const ownMs = isNews ? Math.min(pauseMs * 2 ** (this.#failures - 1), longestPauseMs) : 0;
    const waitMs = Math.max(ownMs, Math.min(askedMs ?? 0, longestAskedMs));
    this.#openUntil = Math.max(this.#openUntil, this.#now() + waitMs);
  }
}
