import { type Feedback, type FeedbackResult, type Micros, readLenientBoolean } from '@whetstone/contracts';
import type { EnhancementIds } from '@whetstone/identity';
import { AppError, type CallContext } from '@whetstone/platform';
import type { LessonKeeper } from './ports.js';
import type { Caller, ResolveCollection } from './resolve-collection.js';

interface GiveFeedbackDeps {
  indexer: Pick<LessonKeeper, 'giveFeedback'>;
  enhancementIds: Pick<EnhancementIds, 'open'>;
  resolveCollection: ResolveCollection;
}

/** Counts an outcome for what an answer showed. Throws AppError `answer_not_found`. */
export type GiveFeedback = (
  caller: Caller,
  feedback: Feedback,
  givenAt: Micros,
  call: CallContext,
) => Promise<FeedbackResult>;

export function createGiveFeedback({ indexer, enhancementIds, resolveCollection }: GiveFeedbackDeps): GiveFeedback {
  return async (caller, { tenant_id: tenantId, enhancement_id: token, success }, givenAt, call) => {
    const collectionId = resolveCollection(caller, tenantId);
    const answer = enhancementIds.open(collectionId, token);
    if (!answer) throw new AppError('answer_not_found', 'No such answer in this collection');
    // What was held out was not shown, so it neither helped nor harmed.
    const insightIds = answer.holdout ? [] : answer.shown.map(({ id }) => id);
    if (insightIds.length === 0) return { counted: false, status: 'The answer showed no recommendations' };
    const { counted } = await indexer.giveFeedback(
      {
        collectionId,
        tokenDigest: answer.digest,
        insightIds,
        success: readLenientBoolean(success) === true,
        keyId: caller.keyId,
        givenAt,
      },
      call,
    );
    const status = counted
      ? 'The outcome counts for what was shown'
      : 'The answer has an outcome already, or nothing of it is there any more';
    return { counted, status };
  };
}
