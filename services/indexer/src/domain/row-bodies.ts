import {
  type CitedEnhancement,
  type Insight,
  type Origin,
  type ReadExample,
  type RunShape,
  type RunTrail,
  type StoredInsight,
  typedInsight,
} from '@whetstone/contracts/messages';

import type { Row } from './ports.js';
import type { AnswerSummary } from './summarise-answers.js';
import type { StoredTally } from './tally.js';

export interface InsightBody {
  /** As in the row. */
  name: string;
  insight: Insight;
  /** Of the run that taught it; of a consolidated insight, the latest. */
  run: RunShape;
  origin: Origin;
  /** Present if the insight is consolidated. */
  tally?: StoredTally;
}

export interface RunBody {
  run: RunTrail;
  origin: Origin;
  /** The answer that the run used, if the upload cites one. */
  cited?: Pick<CitedEnhancement, 'tokenDigest' | 'arm'>;
  /** Present if the row is not a run but the summary of what dropped runs cited. */
  answers?: AnswerSummary;
}

type Earlier<Shape extends RunShape> = Omit<Shape, 'changes'> & Partial<Pick<Shape, 'changes'>>;

/** Also reads rows of earlier versions, which record neither changes nor names. */
export function readInsightBody(json: string, read?: ReadExample): InsightBody {
  const stored = JSON.parse(json) as Omit<InsightBody, 'insight' | 'run' | 'name'> & {
    name?: string;
    insight: StoredInsight;
    run: Earlier<RunShape>;
  };
  const { origin, tally } = stored;
  const insight = typedInsight(stored.insight, read);
  const run = { ...stored.run, changes: stored.run.changes ?? [] };
  return { name: stored.name ?? '', insight, run, origin, ...(tally && { tally }) };
}

export function readRunBody(json: string): RunBody {
  const { run, ...rest } = JSON.parse(json) as Omit<RunBody, 'run'> & { run: Earlier<RunTrail> };
  return { ...rest, run: { ...run, changes: run.changes ?? [] } };
}

/** Stands in the place of a job. */
export const summaryJob = 'answers';

/** Whether the row is a summary, judged by its place. */
export function isSummary({ jobId }: Pick<Row, 'jobId'>): boolean {
  return jobId === summaryJob;
}

const feedbackPrefix = 'feedback_';

/** Stands in the place of the job of an outcome that came without an upload. */
export function feedbackJobOf(tokenDigest: string): string {
  return `${feedbackPrefix}${tokenDigest}`;
}

/** Votes, decisions, summaries and feedback have no intent; they share a vector. */
export function hasIntent({ type, jobId }: Pick<Row, 'type' | 'jobId'>): boolean {
  return type === 'insight' || (type === 'run' && !isSummary({ jobId }) && !jobId.startsWith(feedbackPrefix));
}
