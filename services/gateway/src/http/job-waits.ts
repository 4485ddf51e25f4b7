export interface JobWaitLimits {
  perKey: number;
  perProcess: number;
}

/** The calls that wait for the end of a job. */
export interface JobWaits {
  /** Aborted when waiting should end. `undefined` if the key, or the process, has too many, or if the process drains. */
  begin(keyId: string): AbortController | undefined;
  end(keyId: string, wait: AbortController): void;
  /** Ends all of them, and begins no more. */
  drain(): void;
}

export function createJobWaits({ perKey, perProcess }: JobWaitLimits): JobWaits {
  const open = new Set<AbortController>();
  const byKey = new Map<string, number>();
  let isDraining = false;

  return {
    begin(keyId) {
      const ofKey = byKey.get(keyId) ?? 0;
      if (isDraining || ofKey >= perKey || open.size >= perProcess) return undefined;
      const wait = new AbortController();
      open.add(wait);
      byKey.set(keyId, ofKey + 1);
      return wait;
    },
    end(keyId, wait) {
      if (!open.delete(wait)) return;
      const left = (byKey.get(keyId) ?? 0) - 1;
      if (left > 0) byKey.set(keyId, left);
      else byKey.delete(keyId);
    },
    drain() {
      isDraining = true;
      for (const wait of open) wait.abort();
    },
  };
}
