import {
  type CitedEnhancement,
  type Insight,
  type Origin,
  type ReadExample,
  type RunShape,
  type RunTrail,
  type StoredInsight,
  typedInsight,
} from '@whetstone/contracts';
import { exampleDeeds } from '@whetstone/reading';

import { fitJson } from './fit-json.js';
import type { Row } from './ports.js';

/** What the body of an insight's row says. */
export interface InsightBody {
  insight: Insight;
  run: RunShape;
  origin: Origin;
}

/** What the body of a run's row says. */
export interface RunBody {
  run: RunTrail;
  origin: Origin;
  /** The answer that the run was made with, where the upload cites one. */
  cited?: Pick<CitedEnhancement, 'tokenDigest' | 'arm'>;
}

/** What a text column of the vector store holds at most. */
export const maxTextBytes = 65_535;

type Earlier<Shape extends RunShape> = Omit<Shape, 'changes'> & Partial<Pick<Shape, 'changes'>>;

/** A row of an earlier version is read as what it was; its run told of no changes. */
export function readInsightBody(json: string, read?: ReadExample): InsightBody {
  const { insight, run, origin } = JSON.parse(json) as {
    insight: StoredInsight;
    run: Earlier<RunShape>;
    origin: Origin;
  };
  return { insight: typedInsight(insight, read), run: { ...run, changes: run.changes ?? [] }, origin };
}

export function readRunBody(json: string): RunBody {
  const { run, ...rest } = JSON.parse(json) as Omit<RunBody, 'run'> & { run: Earlier<RunTrail> };
  return { ...rest, run: { ...run, changes: run.changes ?? [] } };
}

/** The row as this version would have written it; the very same row where there is nothing to change. */
export function upgradedRow(row: Row): Row {
  if (row.type !== 'insight') return row;
  const body = fitJson(readInsightBody(row.body, exampleDeeds), maxTextBytes);
  return body === row.body ? row : { ...row, body };
}
