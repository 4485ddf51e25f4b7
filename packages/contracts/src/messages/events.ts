/**
 * Microseconds since the epoch, UTC. A plain number: exact until the year 2255, and it travels through JSON and through
 * proto int64 without a special case.
 */
export type Micros = number;

/** One topic of the log and how long what is in it stays. */
export interface TopicSpec {
  name: string;
  partitions: number;
  /** Of several events with one key, compaction keeps the last. */
  compacted: boolean;
  /** Absent: kept for ever. */
  retentionMs?: number;
}

/** Key, headers and value of one event together: the same limit in a local log as in a topic of a cluster. */
export const maxEventBytes = 8 * 1024 * 1024;

const dayMs = 24 * 60 * 60 * 1000;

export const topics = {
  uploads: { name: 'whetstone.uploads.v1', partitions: 8, compacted: false, retentionMs: 7 * dayMs },
  jobs: { name: 'whetstone.jobs.v1', partitions: 8, compacted: true, retentionMs: 30 * dayMs },
  keys: { name: 'whetstone.keys.v1', partitions: 1, compacted: true },
  deadLetters: { name: 'whetstone.uploads.dead.v1', partitions: 8, compacted: false, retentionMs: 30 * dayMs },
} as const satisfies Record<string, TopicSpec>;

/** One step of an agent: what it saw, what it decided, what came back. */
export interface Turn {
  turn: number;
  inputs: string;
  decision: string;
  memory?: string;
  result?: string;
}

/** An upload as the service works on it: validated, normalised, redacted, turns in order. */
export interface Interaction {
  query: string;
  turns: Turn[];
  /** Absent when the caller did not say. */
  success?: boolean;
  agentType?: string;
  /** When the interaction happened, as the caller said. */
  timestamp?: Micros;
  /** Free JSON of the caller. */
  metadata?: Record<string, unknown>;
}

/** What one message of the uploads topic says. */
export interface AcceptedUpload {
  jobId: string;
  collectionId: string;
  keyId: string;
  /** Absent where the key has normal trust. */
  trust?: Trust;
  acceptedAt: Micros;
  /** SHA-256 (hex) of the body as received: equal bodies are one run, however often they were uploaded. */
  bodyDigest: string;
  interaction: Interaction;
  /** Set on an operator's replay of a dead letter; deadlines count from here. */
  replayedAt?: Micros;
}

/** A message that could not be read as an upload, kept as it stood in the log. */
export interface UnreadableMessage {
  key: string;
  /** Base64. */
  value: string;
  /** Where the log named the job beside the message. */
  jobId?: string;
}

interface GivenUp {
  reason: string;
  /** For operators; never shown to callers unsealed. */
  detail: string;
  tries: number;
  failedAt: Micros;
}

/** What one message of the dead-letter topic says: the upload that was given up, or what stood in its place, and why. */
export type DeadLetter = GivenUp &
  ({ upload: AcceptedUpload; unreadable?: never } | { unreadable: UnreadableMessage; upload?: never });

export type JobStatus = 'processing' | 'completed' | 'failed';
export type JobOutcome = 'stored' | 'nothing_to_learn' | 'deleted';

export interface JobProcessing {
  status: 'processing';
  jobId: string;
  acceptedAt: Micros;
  startedAt: Micros;
}

export interface JobCompleted {
  status: 'completed';
  jobId: string;
  acceptedAt: Micros;
  startedAt: Micros;
  completedAt: Micros;
  insightsStored: number;
  outcome: JobOutcome;
  /** Why there was nothing to learn. */
  reason?: string;
}

export interface JobFailed {
  status: 'failed';
  jobId: string;
  acceptedAt: Micros;
  startedAt?: Micros;
  failedAt: Micros;
  /** Sealed for the operators. */
  errorMessage: string;
  /** For the caller, who caused the failure. */
  reason?: string;
}

/** What one message of the jobs topic says. Each is self-contained, so they merge in any order. */
export type JobEvent = JobProcessing | JobCompleted | JobFailed;

/** How much the holder of a key is trusted; what only low trust taught waits until others agree. */
export const trustLevels = ['low', 'normal', 'high'] as const;
export type Trust = (typeof trustLevels)[number];

export interface KeyIssued {
  type: 'issued';
  keyId: string;
  account: string;
  /** Keyed hash of the secret; names the root that made it. */
  secretHash: string;
  issuedAt: Micros;
  approvedBy: string;
  reason: string;
  /** Absent where it is normal. */
  trust?: Trust;
}

export interface KeyRevoked {
  type: 'revoked';
  keyId: string;
  revokedAt: Micros;
  /** The key counts until then (a rotation overlaps). */
  effectiveAt: Micros;
  reason: string;
}

/** What one message of the keys topic says. A revocation is never undone by an `issued` that arrives late. */
export type KeyEvent = KeyIssued | KeyRevoked;
