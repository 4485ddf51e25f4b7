import type { VectorStore } from '../domain/ports.js';

/** One party of an interleaving: runs a protocol on the given store. */
export type Actor<Result> = (store: VectorStore) => Promise<Result>;

/** Whose process crashes after how many steps. */
export interface Crash {
  actor: string;
  afterSteps: number;
}

export interface Interleaving<Result> {
  /** Of the actors that finished. */
  results: Map<string, Result>;
  /** Steps per actor. */
  steps: Map<string, number>;
  /** At each step, which of how many possible actors ran. */
  choices: { taken: number; possible: number }[];
}

type Choose = (possible: number, step: number) => number;

const stepping = [
  'upsert',
  'rowsOfJobs',
  'rowsNamed',
  'markers',
  'markerHeads',
  'countMarkers',
  'deleteRows',
  'addMarker',
  'removeMarkers',
  'pageHeads',
  'votesOn',
  'lessons',
] as const;
/** Steps where collections come and go. Otherwise they are answered at once, and the collection exists. */
const steppingCollections = ['hasCollection', 'createCollection', 'removeIfEmpty'] as const;

export interface InterleavingOptions {
  crash: Crash | undefined;
  choose: Choose;
  collectionsComeAndGo?: boolean;
}

/**
 * Runs protocols against each other in one particular order. Each actor waits before every call to the store until it
 * is chosen; concurrent calls of one actor are one step. A crashed actor is not chosen again: its last call completes,
 * but nobody sees the result.
 */
export async function interleave<Result>(
  store: VectorStore,
  actors: Record<string, Actor<Result>>,
  { crash, choose, collectionsComeAndGo = false }: InterleavingOptions,
): Promise<Interleaving<Result>> {
  const waiting = new Map<string, (() => Promise<void>)[]>();
  const run: Interleaving<Result> = { results: new Map(), steps: new Map(), choices: [] };
  for (const [name, actor] of Object.entries(actors)) {
    waiting.set(name, []);
    run.steps.set(name, 0);
    void actor(steppingStore(store, waiting.get(name) ?? [], collectionsComeAndGo)).then((result) =>
      run.results.set(name, result),
    );
  }

  for (;;) {
    await turn();
    const ready = [...waiting].filter(([name, calls]) => {
      return calls.length > 0 && !(crash?.actor === name && run.steps.get(name) === crash.afterSteps);
    });
    if (ready.length === 0) return run;
    const taken = choose(ready.length, run.choices.length);
    run.choices.push({ taken, possible: ready.length });
    const [name, calls] = ready[taken] as (typeof ready)[number];
    run.steps.set(name, (run.steps.get(name) ?? 0) + 1);
    for (const call of calls.splice(0)) await call();
  }
}

/**
 * All orders that begin with this choice: changes the last choice that has an alternative until none is left. Yields
 * nothing if the first choice does not exist.
 */
export async function* allInterleavings<Run extends Pick<Interleaving<unknown>, 'choices'>>(
  first: number,
  runWith: (choose: Choose) => Promise<Run>,
): AsyncGenerator<Run> {
  let plan = [first];
  for (;;) {
    const current = plan;
    const run = await runWith((possible, step) => Math.min(current[step] ?? 0, possible - 1));
    if (run.choices[0]?.taken !== first) return;
    yield run;
    const last = run.choices.findLastIndex(({ taken, possible }) => taken + 1 < possible);
    if (last <= 0) return;
    plan = run.choices.slice(0, last + 1).map(({ taken }, step) => (step === last ? taken + 1 : taken));
  }
}

function steppingStore(store: VectorStore, calls: (() => Promise<void>)[], collections: boolean): VectorStore {
  const wrapped: Record<string, unknown> = {};
  for (const method of collections ? [...stepping, ...steppingCollections] : stepping) {
    const original = store[method] as (...given: unknown[]) => Promise<unknown>;
    wrapped[method] = (...given: unknown[]) =>
      new Promise((resolve, reject) => {
        calls.push(() => original(...given).then(resolve, reject));
      });
  }
  return { ...store, ...(collections ? {} : { hasCollection: async () => true }), ...wrapped };
}

/** Lets all runnable actors proceed. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
