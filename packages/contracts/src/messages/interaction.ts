import type { Trust } from './insight.js';
import type { Micros } from './time.js';

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
