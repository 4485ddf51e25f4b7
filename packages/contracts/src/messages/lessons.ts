import type { ArmOutcomes } from '../measure-uplift.js';
import type { Micros } from './events.js';
import type { EnhancementArm, InsightKind, RunTrail, Votes } from './insight.js';

/** What people decided about a lesson. */
export const decidedStates = ['active', 'muted', 'pinned', 'approved', 'rejected'] as const;
export type DecidedState = (typeof decidedStates)[number];

/** `pending`: not approved yet, in a collection that requires review. */
export type LessonState = DecidedState | 'pending';

/** Replaces what was learnt; absent parts stay as learnt. */
export interface LessonWording {
  title?: string;
  text?: string;
  example?: string;
}

/** One decision. Of several about a lesson, the latest `state` and the latest `wording` count. */
export interface LessonDecision {
  /** The lesson's id: the first part of the names of its insights. */
  lesson: string;
  state?: DecidedState;
  wording?: LessonWording;
  /** Why. */
  note?: string;
  /** Who decided. */
  keyId: string;
  decidedAt: Micros;
}

/** What counts of all decisions about a lesson. */
export type LessonVerdict = Pick<LessonDecision, 'lesson' | 'state' | 'wording'>;

/** Settings of a collection that its owners choose. Absent ones have the server's default. */
export interface CollectionSettings {
  /** Only what was approved, pinned or written by a person is told. */
  review?: 'none' | 'required';
  holdoutShare?: number;
  retentionDays?: number;
}

export const lessonSorts = ['recent', 'support', 'harm', 'relevance'] as const;
export type LessonSort = (typeof lessonSorts)[number];

/** Insights that say the same. */
export interface Lesson extends Votes {
  id: string;
  kind: InsightKind;
  title: string;
  text: string;
  appliesWhen?: string;
  example?: string;
  agentType?: string;
  state: LessonState;
  origin: 'reflector' | 'model' | 'person';
  /** Distinct runs. */
  support: number;
  firstSeen: Micros;
  lastSeen: Micros;
}

export interface ListLessonsRequest {
  collectionId: string;
  /** Searches like a task; then sorted by relevance. */
  query?: string;
  kind?: InsightKind;
  state?: LessonState;
  agentType?: string;
  sort: LessonSort;
  /** At most 200. */
  limit: number;
  /** From the previous page. */
  cursor?: string;
}

export interface ListLessonsResult {
  lessons: Lesson[];
  /** Absent on the last page. */
  cursor?: string;
}

export interface GetLessonRequest {
  collectionId: string;
  lesson: string;
}

/** A run behind a lesson. */
export interface LessonEvidence {
  jobId: string;
  task: string;
  acceptedAt: Micros;
  run: RunTrail;
  /** Runs of the same kind that this one stands for, itself included. */
  runs: number;
}

/** How runs ended that were told a lesson, on one day. */
export interface VotesOfDay extends Votes {
  /** UTC, since the epoch. */
  day: number;
}

/** What somebody said with an outcome. */
export interface FeedbackNote {
  givenAt: Micros;
  success: boolean;
  note: string;
}

export interface GetLessonResult {
  /** Absent if there is no such lesson. */
  lesson?: Lesson;
  /** The latest first; bounded. */
  evidence: LessonEvidence[];
  /** Runs at the same tasks that ended otherwise. */
  against: LessonEvidence[];
  /** The latest first. */
  decisions: LessonDecision[];
  /** The latest first, as far as votes are listed; days without votes are omitted. */
  votes: VotesOfDay[];
  /** The latest first; bounded. */
  notes: FeedbackNote[];
}

export interface DecideLessonRequest {
  collectionId: string;
  decision: LessonDecision;
}

export interface DecideLessonResult {
  /** Absent if there is no such lesson. */
  lesson?: Lesson;
}

export interface DeleteLessonRequest {
  collectionId: string;
  lesson: string;
  requestedAt: Micros;
}

export interface DeleteLessonResult {
  /** Insights. */
  deletedCount: number;
}

export interface WriteLessonRequest {
  collectionId: string;
  /** The task that it is for, in words. */
  appliesWhen: string;
  text: string;
  title?: string;
  example?: string;
  agentType?: string;
  keyId: string;
  writtenAt: Micros;
}

export interface WriteLessonResult {
  lesson: Lesson;
}

/** An outcome without an upload. */
export interface GiveFeedbackRequest {
  collectionId: string;
  /** Digest of the answer's token. */
  tokenDigest: string;
  /** Names of the insights that were shown. */
  insightIds: string[];
  /** Absent from gateways of earlier versions: recommended. */
  arm?: EnhancementArm;
  success: boolean;
  note?: string;
  keyId: string;
  givenAt: Micros;
}

export interface GiveFeedbackResult {
  /** False if the answer has an outcome already, or none of the insights that it showed is there any more. */
  counted: boolean;
}

export interface GetOutcomesRequest {
  collectionId: string;
}

/** What was reported on answers, one answer counted once. */
export interface GetOutcomesResult {
  recommended: ArmOutcomes;
  holdout: ArmOutcomes;
}

export interface GetSettingsRequest {
  collectionId: string;
}

export interface GetSettingsResult {
  settings: CollectionSettings;
}

export interface ChangeSettingsRequest {
  collectionId: string;
  /** Absent ones stay as they are. */
  settings: CollectionSettings;
  keyId: string;
  changedAt: Micros;
}

export interface ChangeSettingsResult {
  /** All that are set now. */
  settings: CollectionSettings;
}
