import { overloaded, tooMuchAtOnce } from '../refusals.js';

/** What one request holds. */
export interface Holding {
  /** Throws a Refusal with 429 or 503 if the account or the process would hold too much. */
  take(bytes: number): void;
  release(): void;
}

export interface BytesInFlight {
  open(account: string): Holding;
  readonly total: number;
}

export interface BytesInFlightOptions {
  maxBytes: number;
  onRefused(limit: 'account' | 'process'): void;
}

/** Share of the whole that one account may hold. */
const accountShare = 4;

/** Bounds the memory that bodies take from their arrival to their answer. */
export function createBytesInFlight({ maxBytes, onRefused }: BytesInFlightOptions): BytesInFlight {
  const byAccount = new Map<string, number>();
  let total = 0;

  return {
    get total() {
      return total;
    },
    open(account) {
      let held = 0;
      return {
        take(bytes) {
          const ofAccount = (byAccount.get(account) ?? 0) + bytes;
          if (ofAccount > maxBytes / accountShare) {
            onRefused('account');
            throw tooMuchAtOnce();
          }
          if (total + bytes > maxBytes) {
            onRefused('process');
            throw overloaded();
          }
          held += bytes;
          total += bytes;
          byAccount.set(account, ofAccount);
        },
        release() {
          const left = (byAccount.get(account) ?? 0) - held;
          total -= held;
          held = 0;
          if (left > 0) byAccount.set(account, left);
          else byAccount.delete(account);
        },
      };
    },
  };
}
