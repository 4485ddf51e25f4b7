import type { Micros } from './events.js';

/** What people decide over a key or a collection, as the audit trail calls it. */
export const auditActions = [
  'key.issued',
  'key.revoked',
  'lesson.changed',
  'lesson.written',
  'lesson.deleted',
  'knowledge.deleted',
  'collection.changed',
  'collection.erased',
] as const;
export type AuditAction = (typeof auditActions)[number];

/**
 * A message of the audit topic: a decision. Appended before the action, without an outcome, and once more after it. Holds
 * no text of lessons or uploads, no intent and no key.
 */
export interface AuditEntry {
  /** Unique, and ordered by time as a string. */
  id: string;
  account: string;
  at: Micros;
  /** Who decided; absent if an operator did. */
  keyId?: string;
  action: AuditAction;
  /** The collection that it is about, with its name sealed; without one, the account's default collection. */
  collection?: { sealedTenantId?: string };
  /** The id of the key or the lesson. */
  subject?: string;
  /** As callers are told. */
  details: Record<string, unknown>;
  outcome?: 'done' | 'failed';
}

export interface ListAuditRequest {
  account: string;
  limit: number;
  /** The id of the last entry of the previous page. */
  before?: string;
}

export interface ListAuditResult {
  /** Newest first, each the JSON of an AuditEntry. */
  entries: string[];
  /** Whether there are older ones. */
  more: boolean;
}

export interface UsageCounts {
  /** Answers of `enhance_task`. */
  answers: number;
  /** Of these, how many came without recommendations. */
  emptyAnswers: number;
  /** Accepted ones. */
  uploads: number;
  /** Of their bodies, unpacked. */
  bytes: number;
  /** Requests that were answered with 4xx or 503. */
  refusals: number;
}

/** What one key did on one day. */
export interface KeyUsage extends UsageCounts {
  account: string;
  keyId: string;
}

/**
 * A message of the usage topic: what a gateway process counted on a day until now, for some of the keys. A later message
 * of the same process, day and part replaces it.
 */
export interface UsageEvent {
  process: string;
  /** Days since the epoch, UTC. */
  day: number;
  part: number;
  keys: KeyUsage[];
}

export interface GetUsageRequest {
  account: string;
  fromDay: number;
}

export interface UsageLine extends UsageCounts {
  day: number;
  keyId: string;
}

export interface GetUsageResult {
  /** All processes together; the latest day first, then by key. */
  lines: UsageLine[];
  /** There is more than fits; the oldest lines are missing. */
  truncated: boolean;
}
