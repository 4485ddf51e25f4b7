import { curl, failure, find, grep, lessonOf, nameOf, operationsOn, success, teaching } from './lesson-operations.js';
import { aCollection, aReplacement, type OpenStore } from './samples.js';

export function describeLessons(opened: OpenStore): void {
  const on = () => operationsOn(opened.store);

  describe('lessons', () => {
    it('sum up their insights, and are listed in pages of every order', async () => {
      const collectionId = aCollection('listed', 'lessons');
      const { upload, list, consolidate } = on();
      await upload(collectionId, [find], { jobId: 'a', acceptedAt: 100 });
      await upload(collectionId, [find], { jobId: 'b', acceptedAt: 101 });
      await upload(collectionId, [find], { jobId: 'c', acceptedAt: 102, intent: 'east' });
      const origin = { ...aReplacement({ jobId: 'c', acceptedAt: 103 }).origin, jobId: 'again' };
      await upload(collectionId, [find], { jobId: 'again', origin, intent: 'east' });
      await upload(collectionId, [grep], { jobId: 'd', acceptedAt: 104 });
      const cited = { tokenDigest: 't', arm: 'recommended' as const, insightIds: [nameOf(grep)] };
      await upload(collectionId, [curl], { jobId: 'e', acceptedAt: 90, run: failure, cited });

      const all = { collectionId, sort: 'recent' as const, limit: 10 };
      const { lessons } = await list(all, {});
      expect(lessons).toMatchObject([
        {
          id: lessonOf(grep),
          support: 1,
          helped: 0,
          harmed: 1,
          state: 'active',
          origin: 'reflector',
          kind: 'strategy',
        },
        { id: lessonOf(find), support: 3, helped: 0, harmed: 0, firstSeen: 100, lastSeen: 103, title: find.title },
        { id: lessonOf(curl), support: 1 },
      ]);
      expect(lessons[1]).toMatchObject({ text: find.content, example: find.example });

      await consolidate(collectionId, [nameOf(find), nameOf(find, 'east'), nameOf(grep)]);
      expect((await list(all, {})).lessons).toMatchObject(lessons.map(({ id, harmed }) => ({ id, harmed })));
      expect((await list(all, {})).lessons[1]).toMatchObject({ support: 3, firstSeen: 100, lastSeen: 103 });

      for (const [sort, first] of [
        ['recent', grep],
        ['support', find],
        ['harm', grep],
      ] as const) {
        const ids: string[] = [];
        for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages++) {
          const page = await list({ collectionId, sort, limit: 1, ...(cursor !== undefined && { cursor }) }, {});
          ids.push(...page.lessons.map(({ id }) => id));
          cursor = page.cursor;
        }
        expect(ids).toHaveLength(3);
        expect(new Set(ids).size).toBe(3);
        expect(ids[0]).toBe(lessonOf(first));
      }
      await expect(list({ ...all, cursor: 'nonsense' }, {})).rejects.toMatchObject({ code: 'invalid_argument' });
    });

    it('are filtered by kind, agent type and state, and found by a query', async () => {
      const collectionId = aCollection('filtered', 'lessons');
      const { upload, list, decide, changeSettings, write } = on();
      const avoid = teaching('rm -rf', { kind: 'pitfall', polarity: 'failure' });
      const origin = { ...aReplacement({ jobId: 'a' }).origin, agentType: 'coder' };
      await upload(collectionId, [find], { jobId: 'a', origin });
      await upload(collectionId, [grep, avoid], { jobId: 'b', intent: 'east' });
      const idsOf = async (given: object) => {
        const request = { collectionId, sort: 'recent' as const, limit: 10, ...given };
        return (await list(request, {})).lessons.map(({ id }) => id).sort();
      };
      const [ofFind, ofGrep, ofAvoid] = [lessonOf(find), lessonOf(grep), lessonOf(avoid)];
      expect(await idsOf({ kind: 'pitfall' })).toEqual([ofAvoid]);
      expect(await idsOf({ agentType: 'coder' })).toEqual([ofFind]);
      expect(await idsOf({ state: 'active' })).toEqual([ofFind, ofGrep, ofAvoid].sort());
      await decide(collectionId, ofGrep, { state: 'muted' });
      expect(await idsOf({ state: 'muted' })).toEqual([ofGrep]);
      expect(await idsOf({ state: 'active' })).toEqual([ofFind, ofAvoid].sort());
      await changeSettings({ collectionId, settings: { review: 'required' }, keyId: 'key', changedAt: 200 }, {});
      const written = await write({ collectionId, appliesWhen: 'west', text: 'Ask.', keyId: 'k', writtenAt: 200 }, {});
      expect(await idsOf({ state: 'pending' })).toEqual([ofFind, ofAvoid].sort());
      expect(await idsOf({ state: 'active' })).toEqual([written.lesson.id]);

      const found = await list({ collectionId, sort: 'recent', query: 'east', limit: 1 }, {});
      expect([ofGrep, ofAvoid]).toContain(found.lessons[0]?.id);
      const { cursor = '' } = found;
      const next = await list({ collectionId, sort: 'recent', query: 'east', limit: 1, cursor }, {});
      expect([found, next].map(({ lessons }) => lessons[0]?.id).sort()).toEqual([ofGrep, ofAvoid].sort());
      const muted = await list({ collectionId, sort: 'relevance', query: 'east', state: 'muted', limit: 5 }, {});
      expect(muted.lessons).toMatchObject([{ id: ofGrep, state: 'muted' }]);
    });

    it('have the runs behind them as evidence, and runs at the same task that ended otherwise', async () => {
      const collectionId = aCollection('evidence', 'lessons');
      const { upload, get, consolidate, decide } = on();
      const steps = [{ turn: 1, action: 'find . -delete', outcome: 'ok' as const }];
      await upload(collectionId, [find], { jobId: 'a', acceptedAt: 100 });
      await upload(collectionId, [find], { jobId: 'b', acceptedAt: 101, run: { ...success, steps } });
      await upload(collectionId, [find], { jobId: 'c', acceptedAt: 99, intent: 'east' });
      await upload(collectionId, [grep], { jobId: 'd', run: failure });
      await upload(collectionId, [grep], { jobId: 'e', run: failure, intent: 'west' });
      await consolidate(collectionId, [nameOf(find)]);
      await decide(collectionId, lessonOf(find), { state: 'pinned', note: 'good' });
      await decide(collectionId, lessonOf(find), { wording: { text: 'Better words.' }, decidedAt: 151 });

      const found = await get({ collectionId, lesson: lessonOf(find) }, {});

      expect(found.lesson).toMatchObject({ id: lessonOf(find), support: 3, state: 'pinned', text: 'Better words.' });
      expect(found.evidence).toMatchObject([
        { jobId: 'b', task: 'north', acceptedAt: 101, run: { steps }, runs: 2 },
        { jobId: 'c', task: 'east', runs: 1 },
      ]);
      expect(found.against).toMatchObject([{ jobId: 'd', task: 'north', run: { outcome: 'failure' } }]);
      expect(found.decisions).toMatchObject([
        { wording: { text: 'Better words.' } },
        { state: 'pinned', note: 'good' },
      ]);
      const none = { evidence: [], against: [], decisions: [], votes: [], notes: [] };
      expect(await get({ collectionId, lesson: lessonOf(curl) }, {})).toEqual(none);
      expect(await get({ collectionId, lesson: 'nonsense' }, {})).toEqual(none);
      expect(await get({ collectionId: aCollection('missing', 'lessons'), lesson: lessonOf(find) }, {})).toEqual(none);
    });

    it('are never visible from another collection', async () => {
      const [mine, theirs] = [aCollection('mine', 'lessons'), aCollection('mine1', 'lessons')];
      const { upload, decide, list, search, get, deleteLesson, changeSettings } = on();
      for (const collectionId of [mine, theirs]) await upload(collectionId, [find]);
      await decide(theirs, lessonOf(find), { state: 'muted' });
      await changeSettings({ collectionId: theirs, settings: { review: 'required' }, keyId: 'k', changedAt: 1 }, {});
      await deleteLesson({ collectionId: theirs, lesson: lessonOf(find), requestedAt: 200 }, {});

      expect((await list({ collectionId: mine, sort: 'recent', limit: 9 }, {})).lessons).toMatchObject([
        { state: 'active' },
      ]);
      expect(await search({ collectionId: mine, text: 'north', limit: 9 }, {})).toMatchObject({
        hits: [{ name: nameOf(find) }],
        verdicts: [],
        settings: {},
      });
      expect((await get({ collectionId: mine, lesson: lessonOf(find) }, {})).decisions).toEqual([]);
      expect((await list({ collectionId: theirs, sort: 'recent', limit: 9 }, {})).lessons).toEqual([]);
    });
  });
}
