import type { Micros, Trust } from './events.js';

export type InsightKind = 'strategy' | 'pitfall' | 'recovery';

/** What a lesson is about: its task, an error and its way out, the form of what an agent writes, the agent whatever its task. */
export const insightScopes = ['task', 'error', 'format', 'agent'] as const;
export type InsightScope = (typeof insightScopes)[number];

/**
 * What an action does to the world beyond reading it. `changes` and `destroys` keep to what the action names; `destroys_all`
 * goes beyond. `unreadable`: it cannot be told.
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
  scope: InsightScope;
  /** The rule that made it: what choices are made by, and never its words. */
  rule: string;
  /** What its example does, in normal form: equal deeds are one lesson, however they are spelt. */
  actions: string[];
  effects: Effect[];
  /** The class of the error that it is about. */
  errorClass?: string;
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

/** What tells one way of doing a task from another: what contrast between runs is computed from. */
export interface RunShape {
  outcome: 'success' | 'failure' | 'unknown';
  /** True when the caller did not say and the analyser judged it from the turns. */
  judged: boolean;
  /** What decided the run, in its order, repeats included: a program with its options, a tool, a kind of statement. */
  uses: string[];
  /** The calls and requests among them that changed something: how the run ended for whoever asked. */
  changes: string[];
}

/** The compact trail of one interaction. */
export interface RunTrail extends RunShape {
  steps: TrailStep[];
}

/**
 * What became of a question: it got recommendations; it was held out, to measure what they are worth; or there was nothing
 * to recommend.
 */
export type EnhancementArm = 'recommended' | 'holdout' | 'nothing_to_say';

/** The answer of `enhance_task` that a run was made with, as its upload cites it. */
export interface CitedEnhancement {
  /** Of its token: tells answers apart and says nothing of them. One answer counts once, however many uploads cite it. */
  tokenDigest: string;
  arm: EnhancementArm;
  /** The rows of the insights that were shown, or would have been, had it not been held out. */
  insightIds: string[];
}

/** How runs ended that were shown an insight, one answer counted once. */
export interface Votes {
  helped: number;
  harmed: number;
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
  /** Of the key; absent where it is normal. */
  trust?: Trust;
}
