import type { Micros, ReplaceResult, RunTrail, SearchHit } from '@whetstone/contracts';
import { newAttempt } from '@whetstone/identity';
import { AppError, abortable, type Clock, withSpan, withTimeout } from '@whetstone/platform';
import { agree, countContentWords } from '@whetstone/reading';

import {
  dropReasons,
  type FindOpposites,
  type InsightProducer,
  type JobObserver,
  type KnowledgeBase,
  type Reflection,
  type Run,
  type UploadInHand,
  type UploadOutline,
} from '../ports.js';
import { followedIn, type ShownEnhancement } from './cited-enhancement.js';

export interface AttemptJobDeps {
  producer: InsightProducer;
  knowledge: KnowledgeBase;
  clock: Clock;
  /** For intervals: never set back or forward. */
  monotonicMs(): number;
  observer: JobObserver;
}

/** One attempt at a job. The analysis is kept between attempts, so that waiting for the indexer costs no second one. */
type AttemptJob = (signal: AbortSignal) => Promise<AttemptResult>;

export interface AttemptResult extends ReplaceResult {
  /** Absent if the upload cannot be read. */
  learnt?: Learnt;
}

/** What was learnt, and when the analysis was done. */
export interface Learnt extends Reflection {
  at: Micros;
}

export function createAttemptJob(
  { producer, knowledge, clock, monotonicMs, observer }: AttemptJobDeps,
  storingTimeoutMs: number,
  upload: UploadInHand,
  cited: ShownEnhancement | undefined,
): AttemptJob {
  const findOpposites = createFindOpposites(knowledge, upload);
  let learnt: Learnt | undefined;
  let greatestSeen: string | undefined;

  return async (signal) => {
    if (!upload.run) return { outcome: 'deleted', insightsStored: 0 };
    learnt ??= await analyse(upload.run, signal);
    return { ...(await store(learnt, signal)), learnt };
  };

  async function analyse(run: Run, signal: AbortSignal): Promise<Learnt> {
    const begunMs = monotonicMs();
    const reflection = await withSpan('analyse', {}, () =>
      abortable(producer.produce(run, signal, findOpposites), signal),
    );
    observer.stage('analysing', secondsSince(begunMs));
    for (const reason of dropReasons) {
      const count = reflection.dropped?.[reason] ?? 0;
      if (count > 0) observer.insightsDropped(reason, count);
    }
    return { ...reflection, at: clock.now() };
  }

  async function store(
    { intent, run, insights, deeds, producer: by }: Reflection,
    signal: AbortSignal,
  ): Promise<ReplaceResult> {
    const { jobId, collectionId, keyId, trust, acceptedAt, bodyDigest, interaction } = upload;
    const begunMs = monotonicMs();
    const request = {
      collectionId,
      jobId,
      attempt: newAttempt(clock, greatestSeen),
      intent,
      run,
      insights,
      origin: {
        jobId,
        keyId,
        acceptedAt,
        bodyDigest,
        ...(interaction.agentType === undefined ? {} : { agentType: interaction.agentType }),
        ...(interaction.timestamp === undefined ? {} : { interactionTime: interaction.timestamp }),
        producer: by,
        ...(trust === undefined ? {} : { trust }),
      },
      ...(cited && { cited: followedIn(cited, deeds) }),
    };
    const result = await withTimeout(
      storingTimeoutMs,
      (limited) => withSpan('store', {}, () => knowledge.replace(request, { signal: limited })),
      { signal, error: () => new AppError('deadline_exceeded', 'Storing took too long') },
    );
    observer.stage('storing', secondsSince(begunMs));
    greatestSeen = result.supersededBy ?? greatestSeen;
    return result;
  }

  function secondsSince(begunMs: number): number {
    return (monotonicMs() - begunMs) / 1000;
  }
}

const searched = 32;
const mostRuns = 3;
/** Vague tasks share most of their few words but differ in what they want. */
const fewWords = 4;
const opposites: Record<RunTrail['outcome'], RunTrail['outcome'] | undefined> = {
  success: 'failure',
  failure: 'success',
  unknown: undefined,
};

/** Searches the upload's own collection. Runs without insights are not found. */
export function createFindOpposites(
  knowledge: Pick<KnowledgeBase, 'search' | 'getRuns'>,
  { collectionId, jobId, interaction: { agentType } }: UploadOutline,
): FindOpposites {
  return async ({ intent, run }, signal) => {
    const opposite = run.judged ? undefined : opposites[run.outcome];
    if (opposite === undefined) return [];
    const isOpposite = (other: Pick<RunTrail, 'outcome' | 'judged'>) => other.outcome === opposite && !other.judged;
    const words = countContentWords(intent);
    const isSameTask = (other: string) =>
      other === intent || (words.size >= fewWords && agree(words, countContentWords(other)));

    const question = { collectionId, text: intent, limit: searched, ...(agentType === undefined ? {} : { agentType }) };
    const { hits } = await knowledge.search(question, { signal });
    const others = hits.filter((hit) => hit.origin.jobId !== jobId && isOpposite(hit.run) && isSameTask(hit.intent));
    const runs = new Map(others.map((hit) => [hit.origin.jobId, storedRunOf(hit)]));
    const jobIds = [...runs.values()].slice(0, mostRuns);
    if (jobIds.length === 0) return [];
    const stored = await knowledge.getRuns({ collectionId, jobIds }, { signal });
    return stored.runs.map(({ run: other }) => other).filter(isOpposite);
  };
}

/** A consolidated insight keeps its latest run under its own name. */
function storedRunOf({ origin, name, tally }: SearchHit): string {
  return tally ? name : origin.jobId;
}
