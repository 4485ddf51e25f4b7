/** Something that did not work, and that the agent should not fail for. */
export interface Problem {
  /**
   * `advice`: a task goes without recommendations. `key`: the server refuses the key. `upload`: uploads wait. `lost`:
   * one is dropped. `record`: turns or values were left out of a run. `folder`: uploads cannot be kept in the folder.
   */
  kind: 'advice' | 'key' | 'upload' | 'lost' | 'record' | 'folder';
  /** For people. */
  message: string;
  error?: unknown;
  /** No more of this kind will come: it has the total. */
  isLast?: boolean;
}

export type ProblemHandler = (problem: Problem) => void;

const quietMs = 60_000;

/** Writes one line a minute for each kind of problem, with the number of those that it kept to itself. */
export function warnSparingly(now: () => number = Date.now): ProblemHandler {
  const told = new Map<Problem['kind'], { at: number; more: number }>();
  return ({ kind, message, isLast }) => {
    const last = told.get(kind);
    if (last && !isLast && now() - last.at < quietMs) {
      last.more += 1;
      return;
    }
    console.warn(`Whetstone: ${message}${last?.more ? ` (and ${last.more} more problems like this before)` : ''}`);
    told.set(kind, { at: now(), more: 0 });
  };
}

/** A handler that throws must not fail the agent either. */
export function guarded<Told>(name: string, handler: (told: Told) => void): (told: Told) => void {
  return (told) => {
    try {
      handler(told);
    } catch (error) {
      console.warn(`Whetstone: ${name} threw`, error, 'when it was told', told);
    }
  };
}
