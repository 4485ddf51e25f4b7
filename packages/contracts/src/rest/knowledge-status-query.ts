import type { Checked } from './body-checks.js';
import { type Problem, problem, tooGreat, tooSmall } from './problems.js';
import { absent, readQuery, repeated } from './query-parameters.js';

export const longestWaitSeconds = 30;

export const knowledgeStatusParameters = {
  wait: {
    type: 'integer',
    minimum: 0,
    maximum: longestWaitSeconds,
    default: 0,
    description:
      'Seconds to wait for the end of the job. Answers as soon as it ends, or with `processing` after that time; also ' +
      'earlier if the server stops, or if the key has too many calls waiting. 0 answers at once.',
  },
} as const;

export interface KnowledgeStatusQuery {
  waitSeconds: number;
}

const integer = /^\s*[+-]?\d+\s*$/;

/** `wait` may be given once; unknown parameters are ignored. */
export function readKnowledgeStatusQuery(query: string): Checked<KnowledgeStatusQuery> {
  const { text = '0', isRepeated, isUnreadable } = readQuery(query, ['wait']).get('wait') ?? absent;
  const found = problemOf();
  return found ? { problems: [found] } : { body: { waitSeconds: Number(text) } };

  function problemOf(): Problem | undefined {
    const loc = ['query', 'wait'];
    if (isRepeated) return repeated('int_type', loc);
    if (isUnreadable || !integer.test(text)) return problem('int_parsing', loc);
    if (Number(text) < 0) return tooSmall(loc, 0);
    return Number(text) > longestWaitSeconds ? tooGreat(loc, longestWaitSeconds) : undefined;
  }
}
