import type {
  GetUsageRequest,
  GetUsageResult,
  ListAuditRequest,
  ListAuditResult,
  UsageLine,
} from '@whetstone/contracts';
import { AppError, type CallContext, isAppError, withTimeout } from '@whetstone/platform';

/** The audit trail and the usage, as far as this replica has read their topics. */
export interface Activity {
  /** Resolves once everything from before the call has been read. Rejects with a retryable AppError while the log is away. */
  catchUpAudit(): Promise<void>;
  catchUpUsage(): Promise<void>;
  /** Newest first, as JSON. */
  entries(request: ListAuditRequest): string[];
  /** The latest day first, then by key. */
  usage(account: string, fromDay: number, limit: number): UsageLine[];
}

/** An answer of 1 to 2 MB. */
const maxLines = 10_000;

/** Both reject with AppError `status_unavailable` (retryable) while the view may be stale. */
export interface ReadActivity {
  listAudit(request: ListAuditRequest, call: CallContext): Promise<ListAuditResult>;
  getUsage(request: GetUsageRequest, call: CallContext): Promise<GetUsageResult>;
}

export function createReadActivity(
  activity: Activity,
  { catchUpTimeoutMs }: { catchUpTimeoutMs: number },
): ReadActivity {
  return {
    async listAudit(request, { signal }) {
      await caughtUp(activity.catchUpAudit, signal);
      const entries = activity.entries({ ...request, limit: request.limit + 1 });
      return { entries: entries.slice(0, request.limit), more: entries.length > request.limit };
    },
    async getUsage({ account, fromDay }, { signal }) {
      await caughtUp(activity.catchUpUsage, signal);
      const lines = activity.usage(account, fromDay, maxLines + 1);
      return { lines: lines.slice(0, maxLines), truncated: lines.length > maxLines };
    },
  };

  /** So that nobody misses what they have just done. */
  async function caughtUp(catchUp: () => Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    const late = () => unavailable('The activity lags behind the log');
    try {
      await withTimeout(catchUpTimeoutMs, catchUp, { signal, error: late });
    } catch (error) {
      throw isAppError(error, 'log_unavailable') ? unavailable('The log is away', error) : error;
    }
  }
}

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('status_unavailable', message, { retryable: true, cause });
}
