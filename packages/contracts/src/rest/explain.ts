import type { Checked } from './body-checks.js';
import type { Problem } from './problems.js';
import { readFlag, readQuery } from './query-parameters.js';

export const enhanceTaskParameters = {
  explain: {
    type: 'boolean',
    default: false,
    description:
      'Also say in `metadata.explanation` of every candidate why it was told or not. The key needs the scope `curate` too.',
  },
} as const;

export function readEnhanceTaskQuery(query: string): Checked<{ explain: boolean }> {
  const problems: Problem[] = [];
  const explain = readFlag(readQuery(query, ['explain']), 'explain', problems);
  return problems.length > 0 ? { problems } : { body: { explain } };
}

export const candidateSchema = {
  title: 'Candidate',
  description: 'A lesson that was considered for an answer, and what became of it.',
  type: 'object',
  required: ['id', 'kind', 'title', 'task', 'similarity', 'support', 'told', 'reason', 'because'],
  properties: {
    id: { type: 'string', description: "The lesson's id." },
    kind: { type: 'string', enum: ['strategy', 'pitfall', 'recovery'] },
    title: { type: 'string' },
    task: { type: 'string', description: 'The task that it was learnt at.' },
    similarity: { type: 'number', description: 'Cosine similarity of its task to yours.' },
    support: { type: 'integer', minimum: 0, description: 'Number of distinct runs that were found.' },
    told: { type: 'boolean' },
    reason: { type: 'string', description: 'Why it was told or not, for programs.' },
    because: { type: 'string', description: 'The same for people.' },
  },
} as const;
