import type { CitedEnhancement, ReplaceResult } from '@whetstone/contracts';
import { newAttempt } from '@whetstone/identity';
import { AppError, type Clock, withSpan } from '@whetstone/platform';

import { abortable, withTimeLimit } from './abortable.js';
import { createFindOpposites } from './find-opposites.js';
import type { InsightProducer, JobObserver, KnowledgeBase, Reflection, UploadInHand } from './ports.js';
import { dropReasons } from './safety/drop-reasons.js';

export interface AttemptJobDeps {
  producer: InsightProducer;
  knowledge: KnowledgeBase;
  clock: Clock;
  observer: JobObserver;
}

/** One go after another at one job. What was learnt is kept between them: an indexer that is away costs no second analysis. */
export type AttemptJob = (signal: AbortSignal) => Promise<ReplaceResult>;

export function createAttemptJob(
  { producer, knowledge, clock, observer }: AttemptJobDeps,
  storingTimeoutMs: number,
  upload: UploadInHand,
  cited: CitedEnhancement | undefined,
): AttemptJob {
  const findOpposites = createFindOpposites(knowledge, upload);
  let learnt: Reflection | undefined;
  let greatestSeen: string | undefined;

  return async (signal) => {
    learnt ??= await analyse(signal);
    return store(learnt, signal);
  };

  async function analyse(signal: AbortSignal): Promise<Reflection> {
    const begun = clock.now();
    const reflection = await withSpan('analyse', {}, () =>
      abortable(producer.produce(upload.run, signal, findOpposites), signal),
    );
    observer.stage('analysing', secondsSince(begun));
    for (const reason of dropReasons) {
      const count = reflection.dropped?.[reason] ?? 0;
      if (count > 0) observer.insightsDropped(reason, count);
    }
    return reflection;
  }

  async function store(
    { intent, run, insights, producer: by }: Reflection,
    signal: AbortSignal,
  ): Promise<ReplaceResult> {
    const { jobId, collectionId, keyId, acceptedAt, bodyDigest, interaction } = upload;
    const begun = clock.now();
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
      },
      ...(cited && { cited }),
    };
    const limit = { timeoutMs: storingTimeoutMs, error: storingTooLong };
    const result = await withTimeLimit(limit, signal, (limited) =>
      withSpan('store', {}, () => knowledge.replace(request, { signal: limited })),
    );
    observer.stage('storing', secondsSince(begun));
    greatestSeen = result.supersededBy ?? greatestSeen;
    return result;
  }

  function secondsSince(begun: number): number {
    return (clock.now() - begun) / 1_000_000;
  }
}

function storingTooLong(): AppError {
  return new AppError('deadline_exceeded', 'Storing took too long');
}
