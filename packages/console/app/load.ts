import { useEffect, useState } from 'preact/hooks';
import { ApiError } from './api';

export interface Loaded<Data> {
  /** Of the last load that succeeded, also while the next one is under way. */
  data?: Data;
  error?: ApiError;
  isLoading: boolean;
  reload(): void;
  /** Shows a change at once, before the server has it. */
  change(changed: (data: Data) => Data): void;
}

/** What was loaded last, by key, so that going back shows it at once. */
const remembered = new Map<string, unknown>();
const mostRemembered = 50;

export function forgetLoaded(): void {
  remembered.clear();
}

/** Loads again whenever the key changes, which names what is loaded. Without a key, nothing is. */
export function useLoad<Data>(key: string | undefined, load: (signal: AbortSignal) => Promise<Data>): Loaded<Data> {
  const [result, setResult] = useState<{ key?: string; data?: Data; error?: ApiError }>({});
  const [round, setRound] = useState(0);

  useEffect(() => {
    if (key === undefined) return;
    const ending = new AbortController();
    load(ending.signal).then(
      (data) => {
        remember(key, data);
        if (!ending.signal.aborted) setResult({ key, data });
      },
      (error: unknown) => {
        if (!ending.signal.aborted) setResult({ key, error: asApiError(error) });
      },
    );
    return () => ending.abort();
  }, [key, round]);

  const isCurrent = result.key === key;
  const data = isCurrent ? result.data : key === undefined ? undefined : (remembered.get(key) as Data | undefined);
  return {
    ...(data !== undefined && { data }),
    ...(isCurrent && result.error && { error: result.error }),
    isLoading: key !== undefined && !isCurrent,
    reload: () => setRound((past) => past + 1),
    change(changed) {
      if (key === undefined || data === undefined) return;
      const next = changed(data);
      remember(key, next);
      setResult({ key, data: next });
    },
  };
}

function remember(key: string, data: unknown): void {
  remembered.delete(key);
  remembered.set(key, data);
  const [oldest] = remembered.keys();
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
}

export function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, String(error));
}
