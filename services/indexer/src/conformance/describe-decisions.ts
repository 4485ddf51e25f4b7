import { importRows } from '../domain/import-rows.js';
import type { RowType } from '../domain/ports.js';
import { curl, find, grep, lessonOf, nameOf, operationsOn, rowsOfType, someFeedback } from './lesson-operations.js';
import { aCollection, aDeletion, type OpenStore } from './samples.js';

export function describeDecisions(opened: OpenStore): void {
  const on = () => operationsOn(opened.store);
  const rowsOf = (collectionId: string, type: RowType) => rowsOfType(opened.store, collectionId, type);

  describe('a decision', () => {
    it('comes with the hits of a search: the latest state and the latest wording, and the settings', async () => {
      const collectionId = aCollection('decided', 'lessons');
      const { upload, decide, search, changeSettings, getSettings } = on();
      await upload(collectionId, [find]);
      await upload(collectionId, [grep], { jobId: 'b', intent: 'east' });
      await decide(collectionId, lessonOf(find), { state: 'pinned', wording: { title: 'First' } });
      await decide(collectionId, lessonOf(find), { wording: { title: 'Second', text: 'Ünïcode\n漢字' } });
      expect((await decide(collectionId, lessonOf(find), { state: 'muted' })).lesson).toMatchObject({
        state: 'muted',
        title: 'Second',
      });
      await decide(collectionId, lessonOf(grep), { state: 'approved' });
      const change = { collectionId, keyId: 'key', changedAt: 150 };
      await changeSettings({ ...change, settings: { review: 'required', holdoutShare: 0.1 } }, {});
      const settings = { review: 'none', holdoutShare: 0.1 };
      expect(await changeSettings({ ...change, settings: { review: 'none' } }, {})).toEqual({ settings });

      const wording = { title: 'Second', text: 'Ünïcode\n漢字' };
      const expected = { verdicts: [{ lesson: lessonOf(find), state: 'muted', wording }], settings };
      expect(await search({ collectionId, text: 'north', limit: 1 }, {})).toMatchObject(expected);
      await opened.reopen();
      const again = operationsOn(opened.store);
      expect(await again.search({ collectionId, text: 'north', limit: 1 }, {})).toMatchObject(expected);
      expect(await getSettings({ collectionId }, {}).catch(() => again.getSettings({ collectionId }, {}))).toEqual({
        settings,
      });
      const byWords = await again.search({ collectionId, text: 'grep', byWordsAlone: true, limit: 5 }, {});
      expect(byWords.verdicts).toContainEqual({ lesson: lessonOf(grep), state: 'approved' });
    });

    it('needs a lesson, and survives redelivery, consolidation and an import', async () => {
      const collectionId = aCollection('survives', 'lessons');
      const { upload, decide, get, consolidate } = on();
      expect(await decide(collectionId, lessonOf(find), { state: 'muted' })).toEqual({});
      expect(await opened.store.hasCollection(collectionId)).toBe(false);
      await upload(collectionId, [find], { jobId: 'a' });
      await decide(collectionId, lessonOf(find), { state: 'pinned' });
      await decide(collectionId, lessonOf(find), { wording: { title: 'Mine' } });
      const stateNow = async () => (await get({ collectionId, lesson: lessonOf(find) }, {})).lesson;

      await upload(collectionId, [find], { jobId: 'a', attempt: '2' });
      expect(await stateNow()).toMatchObject({ state: 'pinned', title: 'Mine' });
      await upload(collectionId, [find], { jobId: 'b' });
      await consolidate(collectionId, [nameOf(find)]);
      expect(await stateNow()).toMatchObject({ state: 'pinned', title: 'Mine', support: 2 });

      const exported = await opened.store.page(collectionId, { limit: 100 });
      await opened.store.deleteRows(
        collectionId,
        exported.map(({ id }) => id),
      );
      expect(await stateNow()).toBeUndefined();
      const result = await importRows(opened.store, exported, { includeDeleted: false });
      expect(result).toEqual({ stored: 4, superseded: 0, deleted: 0 });
      expect(await stateNow()).toMatchObject({ state: 'pinned', title: 'Mine', support: 2 });
      expect((await get({ collectionId, lesson: lessonOf(find) }, {})).decisions).toHaveLength(2);
    });

    it('is dropped when fifty later ones are there, unless it still counts', async () => {
      const collectionId = aCollection('many', 'lessons');
      const { upload, decide, get } = on();
      await upload(collectionId, [find]);
      await decide(collectionId, lessonOf(find), { state: 'muted' });
      for (let n = 0; n < 53; n++) await decide(collectionId, lessonOf(find), { wording: { title: `${n}` } });
      const { decisions, lesson } = await get({ collectionId, lesson: lessonOf(find) }, {});
      expect(decisions).toHaveLength(51);
      expect(lesson).toMatchObject({ state: 'muted', title: '52' });
    });

    it('goes with the last insight of its lesson; muted stays muted, without words', async () => {
      const collectionId = aCollection('goes', 'lessons');
      const { upload, decide, deleteByIntent, search, erase } = on();
      await upload(collectionId, [find, grep], { jobId: 'a' });
      await upload(collectionId, [curl], { jobId: 'b' });
      await upload(collectionId, [curl], { jobId: 'c', intent: 'east' });
      await decide(collectionId, lessonOf(find), { state: 'pinned', wording: { text: 'secret' } });
      await decide(collectionId, lessonOf(grep), { wording: { text: 'secret' } });
      await decide(collectionId, lessonOf(grep), { state: 'muted', note: 'secret' });
      await decide(collectionId, lessonOf(curl), { state: 'pinned' });

      await deleteByIntent(aDeletion({ collectionId, requestedAt: 200 }), {});

      const left = await rowsOf(collectionId, 'decision');
      expect(left.map(({ jobId }) => jobId).sort()).toEqual([lessonOf(grep), lessonOf(curl)].sort());
      expect(JSON.stringify(left.map(({ body }) => body))).not.toContain('secret');
      await upload(collectionId, [grep], { jobId: 'd', acceptedAt: 300 });
      const { verdicts } = await search({ collectionId, text: 'north', limit: 9 }, {});
      expect(verdicts).toContainEqual({ lesson: lessonOf(grep), state: 'muted' });
      await erase({ collectionId, requestedAt: 400 }, {});
      expect(await opened.store.page(collectionId, { limit: 9 })).toEqual([]);
    });
  });

  describe('deleting a lesson', () => {
    it('takes its insights, runs that taught nothing else, votes and decisions, and keeps them away', async () => {
      const collectionId = aCollection('deleted', 'lessons');
      const { upload, decide, deleteLesson, consolidate, feedback, list } = on();
      await upload(collectionId, [find], { jobId: 'only' });
      await upload(collectionId, [find], { jobId: 'another' });
      await upload(collectionId, [find, grep], { jobId: 'both', intent: 'east' });
      await consolidate(collectionId, [nameOf(find)]);
      await feedback(someFeedback(collectionId, [nameOf(find)]), {});
      await decide(collectionId, lessonOf(find), { state: 'pinned' });
      const exported = await opened.store.page(collectionId, { limit: 100 });

      const request = { collectionId, lesson: lessonOf(find), requestedAt: 200 };
      expect(await deleteLesson(request, {})).toEqual({ deletedCount: 2 });

      const left = async () =>
        (await opened.store.page(collectionId, { limit: 100 })).map(({ jobId, type }) => `${jobId} ${type}`);
      // How runs ended stays, without a word of the lesson.
      expect(await left()).toEqual(['both run', 'both insight', 'feedback_token run']);
      for (const jobId of ['only', 'late']) {
        expect(await upload(collectionId, [find], { jobId, attempt: '2' })).toMatchObject({ outcome: 'deleted' });
      }
      const redelivered = await upload(collectionId, [find, grep], { jobId: 'both', attempt: '2', intent: 'east' });
      expect(redelivered).toMatchObject({ outcome: 'stored', insightsStored: 1 });
      expect(await left()).toEqual(['both run', 'both insight', 'feedback_token run']);
      await importRows(opened.store, exported, { includeDeleted: false });
      expect((await list({ collectionId, sort: 'recent', limit: 9 }, {})).lessons.map(({ id }) => id)).toEqual([
        lessonOf(grep),
      ]);
      expect(await rowsOf(collectionId, 'decision')).toEqual([]);
      expect(await rowsOf(collectionId, 'vote')).toEqual([]);
      expect(await upload(collectionId, [find], { jobId: 'new', acceptedAt: 300 })).toMatchObject({
        outcome: 'stored',
      });
      expect(await deleteLesson({ ...request, lesson: 'nonsense' }, {})).toEqual({ deletedCount: 0 });
    });

    it('leaves it muted, and an intent that reads like its id leaves the deletion', async () => {
      const collectionId = aCollection('muted', 'lessons');
      const { upload, decide, deleteLesson, deleteByIntent, search } = on();
      await upload(collectionId, [find]);
      await decide(collectionId, lessonOf(find), { state: 'rejected', wording: { title: 'secret' } });
      await deleteLesson({ collectionId, lesson: lessonOf(find), requestedAt: 200 }, {});
      await deleteByIntent(aDeletion({ collectionId, intent: lessonOf(find), requestedAt: 250 }), {});
      expect(await upload(collectionId, [find], { jobId: 'late' })).toMatchObject({ outcome: 'deleted' });
      await upload(collectionId, [find], { jobId: 'new', acceptedAt: 300 });
      const { verdicts } = await search({ collectionId, text: 'north', limit: 9 }, {});
      expect(verdicts).toEqual([{ lesson: lessonOf(find), state: 'rejected' }]);
    });
  });

  describe('runs that were deleted', () => {
    it('are found by their intent, by their lessons, and after an erasure; never what was accepted later', async () => {
      const collectionId = aCollection('deleted-runs', 'lessons');
      const { deleteByIntent, deleteLesson, erase, findDeletedRuns } = on();
      const run = (intent: string, acceptedAt = 100, lessons: string[] = []) => ({ intent, acceptedAt, lessons });
      const found = async (...runs: ReturnType<typeof run>[]) =>
        (await findDeletedRuns({ collectionId, runs }, {})).deleted;
      expect(await found(run('north'), run('east'))).toEqual([false, false]);

      await deleteByIntent(aDeletion({ collectionId, intent: 'north', requestedAt: 200 }), {});
      expect(await found(run('north'), run('0.6 of north'), run('0.4 of north'), run('north', 201))).toEqual([
        true,
        true,
        false,
        false,
      ]);

      await deleteLesson({ collectionId, lesson: lessonOf(find), requestedAt: 250 }, {});
      const [one, both] = [[lessonOf(find)], [lessonOf(find), lessonOf(grep)]];
      expect(await found(run('east', 100, one), run('east', 100, both), run('east', 251, one))).toEqual([
        true,
        false,
        false,
      ]);

      await erase({ collectionId, requestedAt: 300 }, {});
      expect(await found(run('east', 300), run('east', 301))).toEqual([true, false]);
      expect(await found()).toEqual([]);
    });

    it('tell of their lessons those that exist, with the titles that they have now', async () => {
      const collectionId = aCollection('lessons-of-runs', 'lessons');
      const { upload, decide, deleteLesson, findDeletedRuns } = on();
      await upload(collectionId, [find, grep]);
      const lessons = [find, grep, grep, curl].map(lessonOf);
      const runs = [100, 300].map((acceptedAt) => ({ intent: 'east', acceptedAt, lessons }));
      const told = async () => {
        const found = await findDeletedRuns({ collectionId, runs, withLessons: true }, {});
        return found.lessons.map((run) => run.lessons.map(({ title }) => title));
      };
      expect(await told()).toEqual([
        [find.title, grep.title],
        [find.title, grep.title],
      ]);

      await decide(collectionId, lessonOf(grep), { wording: { title: 'Search with grep' } });
      await deleteLesson({ collectionId, lesson: lessonOf(find), requestedAt: 250 }, {});
      expect(await told()).toEqual([['Search with grep'], ['Search with grep']]);
      await upload(collectionId, [find], { jobId: 'again', acceptedAt: 300 });
      expect(await told()).toEqual([['Search with grep'], [find.title, 'Search with grep']]);
      expect((await findDeletedRuns({ collectionId, runs }, {})).lessons).toEqual([]);
    });
  });

  it('a description of collections counts their insights and tells their settings', async () => {
    const [some, none] = [aCollection('described', 'lessons'), aCollection('undescribed', 'lessons')];
    const { upload, changeSettings, describeCollections } = on();
    await upload(some, [find, grep]);
    const settings = { review: 'required', retentionDays: 9 } as const;
    await changeSettings({ collectionId: some, settings, keyId: 'key', changedAt: 200 }, {});

    expect(await describeCollections({ collectionIds: [none, some] }, {})).toEqual({
      collections: [
        { collectionId: none, insights: 0, settings: {} },
        { collectionId: some, insights: 2, settings },
      ],
    });
  });
}
