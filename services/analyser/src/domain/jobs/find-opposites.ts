import type { RunTrail } from '@whetstone/contracts';
import { agree, contentWords } from '@whetstone/reading';

import type { FindOpposites, KnowledgeBase, UploadOutline } from '../ports.js';

const searched = 32;
const mostRuns = 3;
/** Vague tasks share most of their few words and want different things. */
const fewWords = 4;
const opposites: Record<RunTrail['outcome'], RunTrail['outcome'] | undefined> = {
  success: 'failure',
  failure: 'success',
  unknown: undefined,
};

/** Looks among what is stored in the upload's own collection. A run that left no insight is not found. */
export function createFindOpposites(
  knowledge: Pick<KnowledgeBase, 'search' | 'getRuns'>,
  { collectionId, jobId, interaction: { agentType } }: UploadOutline,
): FindOpposites {
  return async ({ intent, run }, signal) => {
    const opposite = run.judged ? undefined : opposites[run.outcome];
    if (opposite === undefined) return [];
    const isOpposite = (other: Pick<RunTrail, 'outcome' | 'judged'>) => other.outcome === opposite && !other.judged;
    const words = contentWords(intent);
    const isSameTask = (other: string) =>
      other === intent || (words.size >= fewWords && agree(words, contentWords(other)));

    const question = { collectionId, text: intent, limit: searched, ...(agentType === undefined ? {} : { agentType }) };
    const { hits } = await knowledge.search(question, { signal });
    const others = hits.filter((hit) => hit.origin.jobId !== jobId && isOpposite(hit.run) && isSameTask(hit.intent));
    const jobIds = [...new Set(others.map(({ origin }) => origin.jobId))].slice(0, mostRuns);
    if (jobIds.length === 0) return [];
    const { runs } = await knowledge.getRuns({ collectionId, jobIds }, { signal });
    return runs.map((stored) => stored.run).filter(isOpposite);
  };
}
