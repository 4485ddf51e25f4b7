import {
  type EnhancementArm,
  type Feedback,
  type FeedbackResult,
  type Micros,
  readLenientBoolean,
} from '@whetstone/contracts';
import { armOf, type EnhancementIds } from '@whetstone/identity';
import { AppError, type CallContext } from '@whetstone/platform';
import type { LessonKeeper } from './ports.js';
import type { Redactor } from './redactor.js';
import type { Caller, ResolveCollection } from './resolve-collection.js';

interface GiveFeedbackDeps {
  indexer: Pick<LessonKeeper, 'giveFeedback'>;
  enhancementIds: Pick<EnhancementIds, 'open'>;
  redactor: Pick<Redactor, 'redactText'>;
  resolveCollection: ResolveCollection;
}

/** Counts an outcome for what an answer showed, and for the uplift. Throws AppError `answer_not_found`. */
export type GiveFeedback = (
  caller: Caller,
  feedback: Feedback,
  givenAt: Micros,
  call: CallContext,
) => Promise<FeedbackResult>;

export function createGiveFeedback(deps: GiveFeedbackDeps): GiveFeedback {
  const { indexer, enhancementIds, redactor, resolveCollection } = deps;
  return async (caller, { tenant_id: tenantId, enhancement_id: token, success, note }, givenAt, call) => {
    const collectionId = resolveCollection(caller, tenantId);
    const answer = enhancementIds.open(collectionId, token);
    if (!answer) throw new AppError('answer_not_found', 'No such answer in this collection');
    const arm = armOf(answer);
    // What was held out was not shown, so it neither helped nor harmed.
    const insightIds = arm === 'recommended' ? answer.shown.map(({ id }) => id) : [];
    const { counted } = await indexer.giveFeedback(
      {
        collectionId,
        tokenDigest: answer.digest,
        insightIds,
        arm,
        success: readLenientBoolean(success) === true,
        ...(note == null ? {} : { note: redactor.redactText(note) }),
        keyId: caller.keyId,
        givenAt,
      },
      call,
    );
    const status = counted
      ? countsFor[arm]
      : 'Not counted: the answer already has an outcome, or its lessons no longer exist';
    return { counted, status };
  };
}

const countsFor: Record<EnhancementArm, string> = {
  recommended: 'The outcome counts for what was shown',
  holdout: 'The answer was held out: the outcome counts for the comparison',
  nothing_to_say: 'The answer showed no recommendations: the outcome is noted',
};
