import type { Micros } from './time.js';

export type InsightKind = 'strategy' | 'pitfall' | 'recovery';

/** One lesson. Texts are general: names, ids and amounts of the one task stay out of everything but `example`. */
export interface Insight {
  kind: InsightKind;
  title: string;
  appliesWhen?: string;
  notWhen?: string;
  /** One to three sentences. */
  content: string;
  steps: string[];
  /** The decisive action itself, verbatim but redacted and bounded. */
  example?: string;
  polarity: 'success' | 'failure';
  /** Turn numbers that the lesson rests on. */
  evidence: number[];
  /** 0 to 1: how sure its producer is. */
  confidence: number;
}

/** Who made an insight, so that a better producer's rows can be told from an older one's. */
export interface Producer {
  name: string;
  version: string;
}

/** One action of a run and how it ended. */
export interface TrailStep {
  turn: number;
  action: string;
  outcome: 'ok' | 'error' | 'unknown';
  /** A short, bounded extract of the result where it tells something. */
  note?: string;
}

/** The compact trail of one interaction: what contrast between runs is computed from. */
export interface RunTrail {
  outcome: 'success' | 'failure' | 'unknown';
  /** True when the caller did not say and the analyser judged it from the turns. */
  judged: boolean;
  steps: TrailStep[];
}

/** Where a row comes from. */
export interface Origin {
  jobId: string;
  keyId: string;
  acceptedAt: Micros;
  bodyDigest: string;
  agentType?: string;
  interactionTime?: Micros;
  producer: Producer;
}
