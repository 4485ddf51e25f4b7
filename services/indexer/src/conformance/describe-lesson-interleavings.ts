import { randomNumbers } from '@whetstone/platform/test-kit';

import { isOfLesson } from '../domain/markers.js';
import type { VectorStore } from '../domain/ports.js';

import { type Actor, type Crash, interleave } from './interleave.js';
import { find as doomed, lessonOf, nameOf, operationsOn, grep as other } from './lesson-operations.js';
import { aCollection, type ConformanceOptions, type OpenStore } from './samples.js';

const actorNames = ['first', 'second', 'consolidation', 'decision', 'feedback'];

interface Ending {
  collectionId: string;
  /** Rows of the deleted lesson, and whether the other one is whole, in words. */
  left: string[];
  crash: Crash | undefined;
}

/** The deletion of a lesson beside all that could bring it back, in random orders, each with or without a crash. */
export function describeLessonInterleavings(opened: OpenStore, { interleavings }: ConformanceOptions): void {
  let runs = 0;

  async function run(random: () => number, see: (store: VectorStore) => VectorStore): Promise<Ending> {
    const { store } = opened;
    const collectionId = aCollection(`lesson ${runs++}`, 'interleaved');
    const before = operationsOn(store);
    await before.upload(collectionId, [doomed], { jobId: 'a' });
    await before.upload(collectionId, [doomed], { jobId: 'b', acceptedAt: 101 });

    const upload =
      (attempt: string): Actor<unknown> =>
      (on) =>
        operationsOn(see(on)).upload(collectionId, [doomed, other], { jobId: 'job', attempt });
    const consolidation: Actor<unknown> = (on) => operationsOn(see(on)).consolidate(collectionId, [nameOf(doomed)]);
    const feedback: Actor<unknown> = (on) => {
      const given = { tokenDigest: 't', insightIds: [nameOf(doomed)], success: true, keyId: 'k', givenAt: 150 };
      return operationsOn(on).feedback({ collectionId, ...given }, {});
    };
    const actors: Record<string, Actor<unknown>> = {
      first: upload('1'),
      second: upload('2'),
      consolidation,
      decision: (on) => operationsOn(on).decide(collectionId, lessonOf(doomed), { state: 'pinned' }),
      feedback,
      deletion: (on) => operationsOn(on).deleteLesson({ collectionId, lesson: lessonOf(doomed), requestedAt: 200 }, {}),
    };
    const actor = actorNames[Math.floor(random() * actorNames.length)] as string;
    const uploads = actor === 'first' || actor === 'second' || actor === 'consolidation';
    const crash = uploads && random() < 0.5 ? { actor, afterSteps: Math.floor(random() * 4) } : undefined;
    const ending = await interleave<unknown>(store, actors, {
      crash,
      choose: (possible) => Math.floor(random() * possible),
    });
    // What did not end is done again.
    if (!ending.results.has('first') || !ending.results.has('second')) await upload('3')(store);
    await consolidation(store);
    const rows = await store.page(collectionId, { limit: 100 });
    const ofLesson = rows.filter(({ type, name, jobId, body }) => {
      if (type === 'insight') return name === nameOf(doomed);
      return type === 'decision' ? jobId === lessonOf(doomed) : type === 'vote' && body.includes(nameOf(doomed));
    });
    const others = rows.filter(({ name }) => name === nameOf(other)).length;
    const left = ofLesson.map(({ jobId, type }) => `${jobId} ${type}`);
    return { collectionId, crash, left: others === 1 ? left : [...left, `${others} of the other`] };
  }

  async function findBadEnding(
    count: number,
    see: (store: VectorStore) => VectorStore = (store) => store,
  ): Promise<Ending | undefined> {
    const random = randomNumbers(2026);
    for (let at = 0; at < count; at++) {
      const ending = await run(random, see);
      if (ending.left.length > 0) return ending;
    }
    return undefined;
  }

  describe('the deletion of a lesson beside uploads, redeliveries, consolidation, decisions and feedback', () => {
    const tries = interleavings === 'all' ? 1_000 : 2 * interleavings;
    it(
      'leaves nothing of it, and all of another lesson of the same run',
      async () => {
        expect(await findBadEnding(tries)).toBeUndefined();
      },
      10 * 60_000,
    );

    it(
      'fails this test if uploads do not look for deleted lessons',
      async () => {
        const careless = (store: VectorStore): VectorStore => ({
          ...store,
          markers: async (id, from) => (await store.markers(id, from)).filter((marker) => !isOfLesson(marker)),
        });
        expect(await findBadEnding(200, careless)).toBeDefined();
      },
      10 * 60_000,
    );
  });
}
