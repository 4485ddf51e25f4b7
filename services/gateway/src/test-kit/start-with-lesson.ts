import type { Lesson, LessonDecision } from '@whetstone/contracts';
import { workflowCollectionIdOf } from '@whetstone/identity';
import type { LessonKeeper } from '../domain/ports.js';
import { call } from './call.js';
import type { gatewaysOfATest } from './gateways-of-a-test.js';
import type { GatewayOptions } from './start-gateway.js';

export const lesson: Lesson = {
  id: 'q7Vx2LmZ0aTfK9_c',
  kind: 'strategy',
  title: 'What worked: ls',
  text: 'It took ls.',
  appliesWhen: 'listing logs',
  example: 'ls -S logs',
  agentType: 'shell',
  state: 'pinned',
  origin: 'reflector',
  support: 3,
  helped: 2,
  harmed: 1,
  firstSeen: 1_772_734_537_903_173,
  lastSeen: 1_772_734_537_903_174,
};
/** The same as REST tells it. */
export const answer = {
  id: lesson.id,
  kind: 'strategy',
  title: 'What worked: ls',
  text: 'It took ls.',
  applies_when: 'listing logs',
  example: 'ls -S logs',
  agent_type: 'shell',
  state: 'pinned',
  origin: 'reflector',
  support: 3,
  helped: 2,
  harmed: 1,
  first_seen: '2026-03-05T18:15:37.903173',
  last_seen: '2026-03-05T18:15:37.903174',
};
export const decision: LessonDecision = { lesson: lesson.id, state: 'pinned', keyId: 'k', decidedAt: lesson.lastSeen };
export const details = { lesson, evidence: [], against: [], decisions: [decision], votes: [], notes: [] };

export const collectionId = workflowCollectionIdOf('acme', 'shop');

export function keyIdIn(key: string): string | undefined {
  return key.split('_')[1];
}

type Called = { [Name in keyof LessonKeeper]: Parameters<LessonKeeper[Name]>[0][] };

/** A gateway whose indexer has the lesson, or what `lessons` says, and what it was asked. */
export async function startWithLesson(
  start: ReturnType<typeof gatewaysOfATest>,
  lessons: Partial<LessonKeeper> = {},
  more: GatewayOptions = {},
) {
  const keeper: LessonKeeper = {
    listLessons: async () => ({ lessons: [lesson] }),
    getLesson: async () => details,
    decideLesson: async () => ({ lesson }),
    deleteLesson: async () => ({ deletedCount: 2 }),
    writeLesson: async () => ({ lesson }),
    giveFeedback: async () => ({ counted: true }),
    changeSettings: async ({ settings }) => ({ settings }),
    getOutcomes: async () => ({ recommended: { told: 0, succeeded: 0 }, holdout: { told: 0, succeeded: 0 } }),
    describeCollections: async () => ({ collections: [] }),
    ...lessons,
  };
  const called = Object.fromEntries(Object.keys(keeper).map((name) => [name, [] as unknown[]]));
  const noted = Object.entries(keeper).map(([name, run]) => [
    name,
    (request: never, context: never) => {
      called[name]?.push(request);
      return run(request, context);
    },
  ]);
  const running = await start({ lessons: Object.fromEntries(noted), ...more });
  const ask = (method: string, to: string, body?: unknown) =>
    call(running.url, method, to, { key: running.key, ...(body === undefined ? {} : { body }) });
  return { ...running, ask, called: called as Called };
}
