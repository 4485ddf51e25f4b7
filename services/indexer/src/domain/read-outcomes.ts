import type { ArmOutcomes, EnhancementArm, GetOutcomesRequest, GetOutcomesResult } from '@whetstone/contracts';
import { abortable, type CallContext } from '@whetstone/platform';

import { checkCancelled } from './check-cancelled.js';
import type { VectorStore } from './ports.js';
import type { RunBody } from './row-bodies.js';
import { pagesOf } from './rows.js';
import { type AnswerSummary, isSummarised, toldBy } from './summarise-answers.js';

/** The outcomes of answers, as uploads and feedback report them. */
export interface ToldOutcomes {
  /** Uploads, and feedback, that cite an answer. */
  uploads: number;
  /** Distinct answers that they cite. */
  answers: number;
  /** Of these, how many have no reported outcome. */
  untold: number;
  /** One answer counts once: the earliest report with an outcome decides. */
  arms: Record<EnhancementArm, ArmOutcomes>;
}

interface Answer {
  arm: EnhancementArm;
  uploads: number;
  told?: { success: boolean; acceptedAt: number };
}

const pageRows = 500;

/** Reads the stored runs, and the summaries of those that consolidation dropped. */
export async function readOutcomes(
  store: Pick<VectorStore, 'page'>,
  collectionIds: readonly string[],
  signal?: AbortSignal,
): Promise<ToldOutcomes> {
  const told: ToldOutcomes = {
    uploads: 0,
    answers: 0,
    untold: 0,
    arms: {
      recommended: { told: 0, succeeded: 0 },
      holdout: { told: 0, succeeded: 0 },
      nothing_to_say: { told: 0, succeeded: 0 },
    },
  };
  for (const collectionId of collectionIds) {
    const { answers, summary } = await readCollection(store, collectionId, signal);
    if (summary) addSummary(told, summary);
    // An answer belongs to one collection.
    for (const [tokenDigest, answer] of answers) {
      if (!summary || !isSummarised(summary, tokenDigest)) addAnswer(told, answer);
    }
  }
  return told;
}

/** Reading a collection for those who asked meanwhile. */
interface Scan {
  result: Promise<GetOutcomesResult>;
  callers: number;
  /** Ends it once nobody waits any more. */
  ending: AbortController;
}

const scansAtOnce = 2;

/**
 * The same for a caller who wants to compare answers with recommendations with others. Callers who ask for a collection
 * that is being read get what that reading finds. Few collections are read at once; others wait their turn.
 */
export function createGetOutcomes({ store }: { store: Pick<VectorStore, 'page'> }) {
  const scans = new Map<string, Scan>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function scan(collectionId: string, signal: AbortSignal): Promise<GetOutcomesResult> {
    if (running === scansAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      const { arms } = await readOutcomes(store, [collectionId], signal);
      return { recommended: arms.recommended, holdout: arms.holdout };
    } finally {
      // The next one takes this place.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  function begin(collectionId: string): Scan {
    const ending = new AbortController();
    const begun = { result: scan(collectionId, ending.signal), callers: 0, ending };
    scans.set(collectionId, begun);
    return begun;
  }

  return async ({ collectionId }: GetOutcomesRequest, { signal }: CallContext): Promise<GetOutcomesResult> => {
    checkCancelled(signal);
    const joined = scans.get(collectionId) ?? begin(collectionId);
    joined.callers++;
    try {
      return await (signal ? abortable(joined.result, signal) : joined.result);
    } catch (error) {
      checkCancelled(signal);
      throw error;
    } finally {
      joined.callers--;
      if (joined.callers === 0) {
        scans.delete(collectionId);
        joined.ending.abort();
      }
    }
  };
}

export type GetOutcomes = ReturnType<typeof createGetOutcomes>;

async function readCollection(store: Pick<VectorStore, 'page'>, collectionId: string, signal: AbortSignal | undefined) {
  const answers = new Map<string, Answer>();
  let latest: { attempt: string; summary: AnswerSummary } | undefined;
  const read = (page: { after?: string; limit: number }) => {
    checkCancelled(signal);
    return store.page(collectionId, { ...page, type: 'run' });
  };
  for await (const page of pagesOf(read, pageRows)) {
    for (const row of page) {
      const { run, cited, answers: summary } = JSON.parse(row.body) as RunBody;
      if (summary && (!latest || latest.attempt < row.attempt)) latest = { attempt: row.attempt, summary };
      if (!cited) continue;
      const answer = answers.get(cited.tokenDigest) ?? { arm: cited.arm, uploads: 0 };
      answers.set(cited.tokenDigest, answer);
      answer.uploads++;
      const success = toldBy(run);
      if (success === undefined || (answer.told && answer.told.acceptedAt <= row.acceptedAt)) continue;
      answer.told = { success, acceptedAt: row.acceptedAt };
    }
  }
  return { answers, summary: latest?.summary };
}

function addAnswer(sum: ToldOutcomes, { arm, uploads, told }: Answer): void {
  sum.uploads += uploads;
  sum.answers++;
  if (!told) sum.untold++;
  else {
    sum.arms[arm].told++;
    sum.arms[arm].succeeded += told.success ? 1 : 0;
  }
}

function addSummary(sum: ToldOutcomes, { uploads, untold, arms }: AnswerSummary): void {
  sum.uploads += uploads;
  sum.untold += untold;
  sum.answers += untold;
  for (const arm of Object.keys(arms) as EnhancementArm[]) {
    sum.answers += arms[arm].told;
    sum.arms[arm].told += arms[arm].told;
    sum.arms[arm].succeeded += arms[arm].succeeded;
  }
}
