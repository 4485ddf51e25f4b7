import type {
  ArmOutcomes,
  ChangeSettingsRequest,
  ChangeSettingsResult,
  DecideLessonRequest,
  DecideLessonResult,
  DeleteLessonRequest,
  DeleteLessonResult,
  EnhancementArm,
  FeedbackNote,
  GetLessonRequest,
  GetLessonResult,
  GetOutcomesRequest,
  GetOutcomesResult,
  GetSettingsRequest,
  GiveFeedbackRequest,
  GiveFeedbackResult,
  Lesson,
  LessonDecision,
  LessonEvidence,
  LessonSort,
  LessonState,
  ListLessonsRequest,
  ListLessonsResult,
  VotesOfDay,
  WriteLessonRequest,
  WriteLessonResult,
} from '@whetstone/contracts';
import fc from 'fast-check';

import {
  decidedState,
  insightKind,
  integer,
  list,
  message,
  micros,
  runTrail,
  settings,
  text,
  turnNumber,
  wording,
  words,
} from './message-arbitraries.js';

const armOutcomes = message<ArmOutcomes>({ told: turnNumber, succeeded: turnNumber }, {});
const state = words<LessonState>({
  active: true,
  muted: true,
  pinned: true,
  approved: true,
  rejected: true,
  pending: true,
});

const lesson = message<Lesson>(
  {
    id: text,
    kind: insightKind,
    title: text,
    text,
    state,
    origin: words<Lesson['origin']>({ reflector: true, model: true, person: true }),
    support: integer,
    helped: integer,
    harmed: integer,
    firstSeen: micros,
    lastSeen: micros,
  },
  { appliesWhen: text, example: text, agentType: text },
);

const decision = message<LessonDecision>(
  { lesson: text, keyId: text, decidedAt: micros },
  { state: decidedState, wording, note: text },
);

const evidence = message<LessonEvidence>(
  { jobId: text, task: text, acceptedAt: micros, run: runTrail, runs: integer },
  {},
);

export const lessonArbitraries = {
  listRequest: message<ListLessonsRequest>(
    {
      collectionId: text,
      sort: words<LessonSort>({ recent: true, support: true, harm: true, relevance: true }),
      limit: integer,
    },
    { query: text, kind: insightKind, state, agentType: text, cursor: text },
  ),
  listResult: message<ListLessonsResult>({ lessons: list(lesson) }, { cursor: text }),
  getRequest: message<GetLessonRequest>({ collectionId: text, lesson: text }, {}),
  getResult: message<GetLessonResult>(
    {
      evidence: list(evidence),
      against: list(evidence),
      decisions: list(decision),
      votes: list(message<VotesOfDay>({ day: integer, helped: integer, harmed: integer }, {})),
      notes: list(message<FeedbackNote>({ givenAt: micros, success: fc.boolean(), note: text }, {})),
    },
    { lesson },
  ),
  decideRequest: message<DecideLessonRequest>({ collectionId: text, decision }, {}),
  decideResult: message<DecideLessonResult>({}, { lesson }),
  deleteRequest: message<DeleteLessonRequest>({ collectionId: text, lesson: text, requestedAt: micros }, {}),
  deleteResult: message<DeleteLessonResult>({ deletedCount: turnNumber }, {}),
  writeRequest: message<WriteLessonRequest>(
    { collectionId: text, appliesWhen: text, text, keyId: text, writtenAt: micros },
    { title: text, example: text, agentType: text },
  ),
  writeResult: message<WriteLessonResult>({ lesson }, {}),
  feedbackRequest: message<GiveFeedbackRequest>(
    {
      collectionId: text,
      tokenDigest: text,
      insightIds: list(text),
      success: fc.boolean(),
      keyId: text,
      givenAt: micros,
    },
    { arm: words<EnhancementArm>({ recommended: true, holdout: true, nothing_to_say: true }), note: text },
  ),
  outcomesRequest: message<GetOutcomesRequest>({ collectionId: text }, {}),
  outcomesResult: message<GetOutcomesResult>({ recommended: armOutcomes, holdout: armOutcomes }, {}),
  feedbackResult: message<GiveFeedbackResult>({ counted: fc.boolean() }, {}),
  getSettingsRequest: message<GetSettingsRequest>({ collectionId: text }, {}),
  changeSettingsRequest: message<ChangeSettingsRequest>(
    { collectionId: text, settings, keyId: text, changedAt: micros },
    {},
  ),
  settingsResult: message<ChangeSettingsResult>({ settings }, {}),
};
