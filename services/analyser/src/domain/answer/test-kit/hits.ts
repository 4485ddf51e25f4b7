import {
  type Candidate,
  type CollectionSettings,
  type Insight,
  type LessonVerdict,
  type Origin,
  type Recommendation,
  type RunShape,
  type SearchHit,
  type SearchRequest,
  shortDigest,
  type Tally,
  type Votes,
} from '@whetstone/contracts';
import { Registry } from '@whetstone/platform';
import { effectsOf, normalForm, readExample } from '@whetstone/reading';

import { createEnhanceTask, defaultEnhanceConfig, type EnhanceConfig } from '../enhance-task.js';

let made = 0;

export interface HitOptions {
  task?: string;
  example?: string;
  similarity?: number;
  insight?: Partial<Insight>;
  origin?: Partial<Origin>;
  run?: Partial<RunShape>;
  votes?: Votes;
  tally?: Tally;
  id?: string;
  name?: string;
}

/** A stored lesson; actions and effects are parsed from its example. */
export function aHit({ task = 'Rotate the logs', example, similarity = 1, ...more }: HitOptions = {}): SearchHit {
  const number = ++made;
  const actions = example === undefined ? [] : readExample(example);
  const id = more.id ?? `row-${String(number).padStart(4, '0')}`;
  return {
    id,
    name: more.name ?? `${id}.variant.${shortDigest(task)}`,
    intent: task,
    similarity,
    score: 1 / number,
    insight: {
      kind: 'strategy',
      title: `Title ${number}`,
      appliesWhen: `tasks like “${task}”`,
      content: `Sentence ${number}.`,
      steps: [],
      polarity: 'success',
      evidence: [1],
      confidence: 0.7,
      scope: 'task',
      rule: 'winner',
      actions: actions.map(normalForm),
      effects: [...new Set(actions.flatMap(effectsOf))],
      ...(example === undefined ? {} : { example }),
      ...more.insight,
    },
    run: { outcome: 'success', judged: false, uses: [], changes: [], ...more.run },
    origin: {
      jobId: `job-${number}`,
      keyId: 'key',
      acceptedAt: 1,
      bodyDigest: `digest-${number}`,
      producer: { name: 'reflector', version: '8' },
      ...more.origin,
    },
    ...(more.votes ? { votes: more.votes } : {}),
    ...(more.tally ? { tally: more.tally } : {}),
  };
}

export function times<Item>(count: number, make: (at: number) => Item): Item[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

export interface Asking extends Partial<EnhanceConfig> {
  agentType?: string;
  context?: Record<string, string>;
  verdicts?: LessonVerdict[];
  settings?: CollectionSettings;
  /** Found by the format of answers. */
  habits?: readonly SearchHit[];
  random?: () => number;
  severalKeys?: boolean;
}

export interface Answer {
  response: string;
  /** What was added to the task. */
  added: string;
  recommendations: Recommendation[];
  texts: string[];
  confidenceScore: number;
  asked: SearchRequest[];
  candidates: Candidate[];
  /** Why each lesson was told or not. */
  reasons: Record<string, string>;
}

/** Enhances a task as if the search returned these hits. */
export async function answerTo(task: string, hits: readonly SearchHit[], asking: Asking = {}): Promise<Answer> {
  const {
    agentType,
    context = {},
    verdicts = [],
    settings = {},
    habits = [],
    random,
    severalKeys = false,
    ...config
  } = asking;
  const asked: SearchRequest[] = [];
  const enhance = createEnhanceTask({
    knowledge: {
      async search(request) {
        asked.push(request);
        return { hits: [...(request.byWordsAlone === true ? habits : hits)], verdicts, settings };
      },
    },
    enhancementIds: { issue: () => 'token' },
    clock: { now: () => 1 },
    logger: { warn: () => {} },
    registry: new Registry(),
    config: { ...defaultEnhanceConfig, ...config },
    ...(random && { random }),
  });
  const ofAgent = agentType === undefined ? {} : { agentType };
  const answer = await enhance(
    { collectionId: 'c', inputText: task, context, explain: true, severalKeys, ...ofAgent },
    {},
  );
  const { response, recommendations, confidenceScore, candidates = [] } = answer;
  const texts = recommendations.map(({ text }) => text);
  const added = response.slice(task.length);
  const reasons = Object.fromEntries(candidates.map(({ id, reason }) => [id, reason]));
  const told = candidates.filter((candidate) => candidate.told).map(({ id }) => id);
  // Whatever is asked: what is explained is what is answered.
  expect(told.toSorted()).toEqual([...new Set(recommendations.map(({ id }) => id))].toSorted());
  return { response, added, recommendations, texts, confidenceScore, asked, candidates, reasons };
}
