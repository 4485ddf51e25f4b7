import type { StoredLesson } from './calls.js';
import type { TrailStep } from './insight.js';

/** Microseconds since the epoch, UTC. Exact as a number until the year 2255, and the same in JSON and proto int64. */
export type Micros = number;

export interface TopicSpec {
  name: string;
  partitions: number;
  /** Compaction keeps the last event of each key. */
  compacted: boolean;
  /** Absent: no limit. */
  retentionMs?: number;
  /** How long compaction may leave an event that a later one replaces. If absent, the log decides. */
  compactWithinMs?: number;
}

/** Limit for key, headers and value of one event together, in local and cluster logs alike. */
export const maxEventBytes = 8 * 1024 * 1024;

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

export const topics = {
  uploads: { name: 'whetstone.uploads.v1', partitions: 8, compacted: false, retentionMs: 7 * dayMs },
  jobs: { name: 'whetstone.jobs.v1', partitions: 8, compacted: true, retentionMs: 30 * dayMs },
  keys: { name: 'whetstone.keys.v1', partitions: 1, compacted: true },
  collections: { name: 'whetstone.collections.v1', partitions: 1, compacted: true, compactWithinMs: hourMs },
  deadLetters: { name: 'whetstone.uploads.dead.v1', partitions: 8, compacted: false, retentionMs: 30 * dayMs },
  spans: { name: 'whetstone.spans.v1', partitions: 8, compacted: false, retentionMs: 7 * dayMs },
  audit: { name: 'whetstone.audit.v1', partitions: 1, compacted: false, retentionMs: 365 * dayMs },
  usage: {
    name: 'whetstone.usage.v1',
    partitions: 1,
    compacted: true,
    retentionMs: 90 * dayMs,
    compactWithinMs: hourMs,
  },
} as const satisfies Record<string, TopicSpec>;

/** One step of an agent: what it saw, what it did, what came back. */
export interface Turn {
  turn: number;
  inputs: string;
  decision: string;
  memory?: string;
  result?: string;
}

/** An upload, validated, normalised and redacted, with its turns in order. */
export interface Interaction {
  query: string;
  turns: Turn[];
  /** Absent if the caller did not say. */
  success?: boolean;
  agentType?: string;
  /** When the run happened, according to the caller. */
  timestamp?: Micros;
  /** Any JSON of the caller. */
  metadata?: Record<string, unknown>;
}

/** An accepted upload. Before it is encrypted, or as an earlier version wrote it, a message of the uploads topic. */
export interface AcceptedUpload {
  jobId: string;
  collectionId: string;
  keyId: string;
  /** Absent if normal. */
  trust?: Trust;
  acceptedAt: Micros;
  /** SHA-256 (hex) of the body as received. Equal bodies count as one run. */
  bodyDigest: string;
  interaction: Interaction;
  /** When an operator replayed it as a dead letter; deadlines count from here. */
  replayedAt?: Micros;
}

/** An upload on its way to the log. The interaction of a large one is packed already, off the event loop. */
export interface UploadToAppend extends Omit<AcceptedUpload, 'interaction'> {
  interaction: Interaction | Uint8Array;
}

/** What can be known of an event of the spans topic without decoding it. Its message is an upload of spans. */
export interface TraceOfSpans {
  traceId: string;
  hasRoot: boolean;
  /** The job that the trace has if it began a day earlier. */
  earlierJobId: string;
}

/** A message of the uploads topic: everything but the interaction can be read without a key. */
export interface EncryptedUpload extends Omit<AcceptedUpload, 'interaction'> {
  encrypted: EncryptedInteraction;
}

export interface EncryptedInteraction {
  dataKeyId: string;
  /** Size of the interaction as JSON. */
  unpackedBytes: number;
  /** Base64; in the uploads topic the bytes themselves. */
  data: string;
}

/** A message that is not a readable upload, as it was in the log. */
export interface UnreadableMessage {
  key: string;
  /** Base64. */
  value: string;
  /** From the headers, if they name the job. */
  jobId?: string;
}

interface GivenUp {
  reason: string;
  /** For operators; never shown to callers unsealed. */
  detail: string;
  tries: number;
  failedAt: Micros;
}

/** A message of the dead-letter topic: the upload, or the unreadable message, and why it failed. */
export type DeadLetter = GivenUp &
  (
    | { upload: AcceptedUpload | EncryptedUpload; unreadable?: never }
    | { unreadable: UnreadableMessage; upload?: never }
  );

export type JobStatus = 'processing' | 'completed' | 'failed';
export type JobOutcome = 'stored' | 'nothing_to_learn' | 'deleted';

/** What of a run can be read without a key. Absent from events of earlier versions. */
interface JobRun {
  collectionId?: string;
  /** As the caller said. */
  success?: boolean;
}

/** What `GET /runs` tells of a run, bounded. */
export interface RunReport {
  query: string;
  agentType?: string;
  trail: Pick<TrailStep, 'action' | 'outcome'>[];
  lessons: StoredLesson[];
}

/** A report that can be read as long as its collection is not erased. */
export interface EncryptedReport {
  dataKeyId: string;
  /** Base64. */
  data: string;
}

export interface JobProcessing extends JobRun {
  status: 'processing';
  jobId: string;
  acceptedAt: Micros;
  startedAt: Micros;
}

export interface JobCompleted extends JobRun {
  status: 'completed';
  jobId: string;
  acceptedAt: Micros;
  startedAt: Micros;
  completedAt: Micros;
  /** When the analysis was done. */
  learntAt?: Micros;
  insightsStored: number;
  outcome: JobOutcome;
  /** Why there was nothing to learn. */
  reason?: string;
  report?: EncryptedReport;
}

export interface JobFailed extends JobRun {
  status: 'failed';
  jobId: string;
  acceptedAt: Micros;
  startedAt?: Micros;
  failedAt: Micros;
  /** Encrypted for the operators. */
  errorMessage: string;
  /** For the caller, if the caller caused the failure. */
  reason?: string;
  report?: EncryptedReport;
}

/** A message of the jobs topic. Each is self-contained, so they merge in any order. */
export type JobEvent = JobProcessing | JobCompleted | JobFailed;

/** How far uploads of a key are trusted. What only low-trust keys taught waits until others agree. */
export const trustLevels = ['low', 'normal', 'high'] as const;
export type Trust = (typeof trustLevels)[number];

/** What a key may be allowed to do. */
export const scopes = ['ask', 'record', 'curate', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/** Of a key that was issued without any, as all were before scopes existed. */
export const defaultScopes = ['ask', 'record', 'curate'] as const satisfies readonly Scope[];

export interface KeyIssued {
  type: 'issued';
  keyId: string;
  account: string;
  /** Keyed hash of the secret, with the id of its root. */
  secretHash: string;
  issuedAt: Micros;
  approvedBy: string;
  reason: string;
  /** Absent if normal. */
  trust?: Trust;
  /** Absent if the default ones. */
  scopes?: readonly Scope[];
  /** The key is valid until then; absent if for ever. */
  expiresAt?: Micros;
}

export interface KeyRevoked {
  type: 'revoked';
  keyId: string;
  revokedAt: Micros;
  /** The key is valid until then; later than `revokedAt` for a rotation. */
  effectiveAt: Micros;
  reason: string;
  /** The id of the key that revoked it; absent if an operator did. */
  approvedBy?: string;
}

/** A message of the keys topic. An `issued` that arrives late never undoes a revocation. */
export type KeyEvent = KeyIssued | KeyRevoked;

interface DataKeyReference {
  collectionId: string;
  dataKeyId: string;
}

export interface DataKeyCreated extends DataKeyReference {
  type: 'created';
  /** Encrypted by the root secret, with the id of its root. */
  wrappedKey: string;
  /** The `tenant_id`, encrypted in the same way. Absent for the default collection, and from earlier versions. */
  sealedName?: string;
  createdAt: Micros;
}

export interface DataKeyRetired extends DataKeyReference {
  type: 'retired';
  retiredAt: Micros;
}

export interface DataKeyDestroyed extends DataKeyReference {
  type: 'destroyed';
  destroyedAt: Micros;
}

/**
 * A message of the collections topic, about a key that encrypts uploads of one collection. In any order of arrival,
 * destroyed wins over retired, and retired over created.
 */
export type DataKeyEvent = DataKeyCreated | DataKeyRetired | DataKeyDestroyed;
