import { hash } from 'node:crypto';

import type { Micros, Trust } from './events.js';

export type InsightKind = 'strategy' | 'pitfall' | 'recovery';

/** What a lesson is about: the task, an error and its fix, the output format, or the agent whatever its task. */
export const insightScopes = ['task', 'error', 'format', 'agent'] as const;
export type InsightScope = (typeof insightScopes)[number];

/**
 * What an action does beyond reading. `changes` and `destroys` affect only what the action names; `destroys_all` affects more.
 * `unreadable`: unknown.
 */
export const effects = [
  'changes',
  'destroys',
  'destroys_all',
  'connects',
  'runs_fetched',
  'opens_shell',
  'installs',
  'widens_rights',
  'disables_safeguard',
  'persists',
  'unreadable',
] as const;
export type Effect = (typeof effects)[number];

/** One lesson. Its texts are general: only `example` may contain names, ids and amounts of the task. */
export interface Insight {
  kind: InsightKind;
  title: string;
  appliesWhen?: string;
  notWhen?: string;
  /** One to three sentences. */
  content: string;
  steps: string[];
  /** The decisive action, verbatim except for redaction and length. */
  example?: string;
  polarity: 'success' | 'failure';
  /** Numbers of the turns that support it. */
  evidence: number[];
  /** From 0 to 1. */
  confidence: number;
  scope: InsightScope;
  /** The rule that made it. Decisions depend on this, never on the wording. */
  rule: string;
  /** What the example does, normalised: equal actions are one lesson, however they are spelt. */
  actions: string[];
  effects: Effect[];
  errorClass?: string;
}

/** What made an insight, to tell rows of different producers apart. */
export interface Producer {
  name: string;
  version: string;
}

/** One action of a run and how it ended. */
export interface TrailStep {
  turn: number;
  action: string;
  outcome: 'ok' | 'error' | 'unknown';
  /** A short extract of the result, if it is informative. */
  note?: string;
}

/** What distinguishes ways of doing a task; runs are contrasted by it. */
export interface RunShape {
  outcome: 'success' | 'failure' | 'unknown';
  /** True if the analyser inferred the outcome, because the caller did not report it. */
  judged: boolean;
  /** The decisive actions in order, with repeats: a program with its options, a tool, a kind of statement. */
  uses: string[];
  /** Those of them that changed something. */
  changes: string[];
}

/** The compact trail of one interaction. */
export interface RunTrail extends RunShape {
  steps: TrailStep[];
}

/** What an answer contained: recommendations, none because it was held out, or none because there was nothing to say. */
export type EnhancementArm = 'recommended' | 'holdout' | 'nothing_to_say';

/** The answer of `enhance_task` that an upload cites. */
export interface CitedEnhancement {
  /** Digest of the token. Each answer counts once, however many uploads cite it. */
  tokenDigest: string;
  arm: EnhancementArm;
  /** Names of the insights that were shown, or would have been if not held out; row ids in older tokens. */
  insightIds: string[];
}

/** Outcomes of runs that were shown an insight. Each answer counts once. */
export interface Votes {
  helped: number;
  harmed: number;
}

export interface Origin {
  jobId: string;
  keyId: string;
  acceptedAt: Micros;
  bodyDigest: string;
  agentType?: string;
  interactionTime?: Micros;
  producer: Producer;
  /** Trust of the key; absent if normal. */
  trust?: Trust;
}

/** What one insight stands for once insights that teach the same at the same task are consolidated into it. */
export interface Tally {
  /** Distinct runs, by body digest. */
  runs: number;
  /** Those of low-trust keys. */
  lowTrustRuns: number;
  /** `shortDigest` of the body digests of the latest runs, without separators; the latest last. */
  digests: string;
  /** The latest keys that uploaded such runs; the latest last. */
  keys: TalliedKey[];
  /** Jobs of the latest runs; the latest last. */
  jobIds: string[];
  /** When the first and the last of the runs were accepted. */
  firstSeen: Micros;
  lastSeen: Micros;
}

export interface TalliedKey {
  keyId: string;
  /** Absent if normal. */
  trust?: Trust;
}

/** Length of a `shortDigest`. */
export const shortDigestLength = 8;

/** Short form of a digest: 48 bits, enough to tell a few hundred apart. */
export function shortDigest(digest: string): string {
  return hash('sha256', digest, 'base64url').slice(0, shortDigestLength);
}
