import type { EncryptedReport, RunReport, StoredLesson } from '@whetstone/contracts';
import { encryptReport } from '@whetstone/identity';

import type { Reflection, UploadInHand } from '../ports.js';
import { reportedQuery } from './outline-message.js';

const longest = { agentType: 200, action: 200, title: 200 };
/** Of the trail as JSON. The most of what is told of a run. */
const trailBytes = 3000;

/**
 * What the record of a job tells of its run, for those who may read its collection. An upload that is not encrypted has
 * no report: erasing its collection would not make it unreadable.
 */
export function reportRun(
  { jobId, dataKey, interaction: { query = '', agentType } }: UploadInHand,
  learnt?: Pick<Reflection, 'intent' | 'run'>,
  lessons: readonly StoredLesson[] = [],
): EncryptedReport | undefined {
  if (!dataKey) return undefined;
  const report: RunReport = {
    // The task without what was recommended at it. Deletions by intent compare the same.
    query: cut(learnt?.intent ?? query, reportedQuery),
    ...(agentType === undefined ? {} : { agentType: cut(agentType, longest.agentType) }),
    trail: bothEnds(learnt?.run.steps ?? []),
    lessons: lessons.map(({ id, title }) => ({ id, title: cut(title, longest.title) })),
  };
  return encryptReport(report, jobId, dataKey);
}

/** The first and the last steps, as many as fit. */
function bothEnds(steps: Reflection['run']['steps']): RunReport['trail'] {
  const [first, last]: [RunReport['trail'], RunReport['trail']] = [[], []];
  for (let left = trailBytes; first.length + last.length < steps.length; ) {
    const isNextLast = last.length <= first.length;
    const { action, outcome } = steps.at(isNextLast ? -1 - last.length : first.length) as (typeof steps)[number];
    const step = { action: cut(action, longest.action), outcome };
    left -= Buffer.byteLength(JSON.stringify(step));
    if (left < 0) break;
    (isNextLast ? last : first).push(step);
  }
  return [...first, ...last.reverse()];
}

/** Without half a character at the end. */
function cut(text: string, characters: number): string {
  return text.length <= characters ? text : text.slice(0, characters).replace(/[\ud800-\udbff]$/, '');
}
