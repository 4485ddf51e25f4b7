import type { GiveFeedbackRequest } from '@whetstone/contracts';

import { forgetAged } from '../domain/forget.js';
import type { RowType } from '../domain/ports.js';
import { failure, find, grep, lessonOf, nameOf, operationsOn, rowsOfType, someFeedback } from './lesson-operations.js';
import { aCollection, conformanceClock as clock, type OpenStore } from './samples.js';

const none = { told: 0, succeeded: 0 };

export function describeFeedback(opened: OpenStore): void {
  const on = () => operationsOn(opened.store);
  const rowsOf = (collectionId: string, type: RowType) => rowsOfType(opened.store, collectionId, type);

  describe('a lesson that a person writes', () => {
    const text = 'Ask the owner first. Then delete.';
    const writing = {
      appliesWhen: 'north',
      text,
      example: 'find -delete',
      agentType: 'coder',
      keyId: 'key',
      writtenAt: 100,
    };

    it('is found, listed and deleted like others, once however often it is written, and apart from what was learnt', async () => {
      const collectionId = aCollection('written', 'lessons');
      const { upload, write, search, list, deleteLesson, get } = on();
      await upload(collectionId, [find]);
      const { lesson } = await write({ collectionId, ...writing }, {});
      expect(lesson).toMatchObject({
        title: 'Ask the owner first.',
        text,
        origin: 'person',
        state: 'active',
        support: 0,
      });
      expect(lesson.id).not.toBe(lessonOf(find));
      expect(await write({ collectionId, ...writing, writtenAt: 101 }, {})).toMatchObject({
        lesson: { id: lesson.id },
      });
      expect(await rowsOf(collectionId, 'insight')).toHaveLength(2);
      const { hits } = await search({ collectionId, text: 'north', limit: 9 }, {});
      expect(hits.find(({ insight }) => insight.rule === 'person')).toMatchObject({
        insight: { appliesWhen: 'north', content: text, polarity: 'success', actions: ['find -delete'] },
        origin: { producer: { name: 'person' }, agentType: 'coder' },
      });
      expect((await list({ collectionId, sort: 'recent', limit: 9 }, {})).lessons).toHaveLength(2);
      expect(await get({ collectionId, lesson: lesson.id }, {})).toMatchObject({
        lesson: { id: lesson.id },
        evidence: [],
      });
      expect(await deleteLesson({ collectionId, lesson: lesson.id, requestedAt: 200 }, {})).toEqual({
        deletedCount: 1,
      });
      expect((await rowsOf(collectionId, 'insight')).map(({ jobId }) => jobId)).toEqual(['job']);
    });

    it('stays when lessons age', async () => {
      const collectionId = aCollection('aged', 'lessons');
      const { upload, write } = on();
      await upload(collectionId, [find]);
      await write({ collectionId, ...writing }, {});
      const jobs = (await rowsOf(collectionId, 'insight')).map(({ jobId }) => jobId);
      const options = { agedBefore: 500, settledBefore: 500, checkLease: () => undefined };
      await forgetAged({ store: opened.store, clock }, collectionId, jobs, options);
      expect((await rowsOf(collectionId, 'insight')).map(({ jobId }) => jobId)).toEqual([
        expect.stringContaining('person_'),
      ]);
    });
  });

  describe('feedback', () => {
    it('is a vote, one per answer, whichever came first', async () => {
      const collectionId = aCollection('feedback', 'lessons');
      const { upload, feedback, search, consolidate } = on();
      await upload(collectionId, [find]);
      const votes = async () => (await search({ collectionId, text: 'north', limit: 1 }, {})).hits[0]?.votes;
      const give = (given: Partial<GiveFeedbackRequest> = {}) =>
        feedback(someFeedback(collectionId, [nameOf(find)], given), {});
      const cite = (jobId: string, tokenDigest: string, acceptedAt: number) => {
        const cited = { tokenDigest, arm: 'recommended' as const, insightIds: [nameOf(find)] };
        return upload(collectionId, [], { jobId, acceptedAt, intent: 'east', run: failure, cited });
      };

      expect(await give()).toEqual({ counted: true });
      expect(await give({ success: false, givenAt: 160 })).toEqual({ counted: false });
      await cite('later', 'token', 170);
      expect(await votes()).toEqual({ helped: 1, harmed: 0 });
      await cite('earlier', 'other', 140);
      expect(await give({ tokenDigest: 'other' })).toEqual({ counted: false });
      expect(await votes()).toEqual({ helped: 1, harmed: 1 });
      await upload(collectionId, [find], { jobId: 'more' });
      await consolidate(collectionId, [nameOf(find)]);
      expect(await give({ tokenDigest: 'other', givenAt: 180 })).toEqual({ counted: false });
      expect(await votes()).toEqual({ helped: 1, harmed: 1 });
    });

    it('is told with its lesson by day and with its note, as a row and in a tally', async () => {
      const collectionId = aCollection('notes', 'lessons');
      const { upload, feedback, consolidate, get, deleteLesson } = on();
      const [name, lesson] = [nameOf(find), lessonOf(find)];
      const day = 86_400e6;
      const at = (days: number) => 100 + days * day;
      await upload(collectionId, [find]);
      const give = (tokenDigest: string, given: Partial<GiveFeedbackRequest>) =>
        feedback(someFeedback(collectionId, [name], { tokenDigest, ...given }), {});
      const told = async () => {
        const { votes, notes } = await get({ collectionId, lesson }, {});
        return [
          votes.map(({ day, helped, harmed }) => `${day}: +${helped} -${harmed}`),
          notes.map(({ success, note }) => `${success ? '+' : '-'} ${note}`),
        ];
      };
      expect(await told()).toEqual([[], []]);

      await give('a', { givenAt: at(1), note: 'worked ünïcode' });
      await give('b', { givenAt: at(1) + 1, success: false, note: 'disk full' });
      await give('b', { givenAt: at(1) + 2, success: false, note: 'said twice' });
      await give('c', { givenAt: at(3) });
      const cited = { tokenDigest: 'd', arm: 'recommended' as const, insightIds: [name] };
      await upload(collectionId, [], { jobId: 'cites', acceptedAt: at(3), intent: 'east', run: failure, cited });
      const expected = [
        ['3: +1 -1', '1: +1 -1'],
        ['- disk full', '+ worked ünïcode'],
      ];
      expect(await told()).toEqual(expected);

      for (const jobId of ['more', 'again']) {
        await upload(collectionId, [find], { jobId });
        await consolidate(collectionId, [name]);
        expect(await rowsOf(collectionId, 'vote')).toEqual([]);
        expect(await told()).toEqual(expected);
      }
      for (let more = 1; more <= 6; more++) await give(`e${more}`, { givenAt: at(3) + more, note: `note ${more}` });
      expect((await told())[1]).toHaveLength(8);
      await upload(collectionId, [find], { jobId: 'last' });
      await consolidate(collectionId, [name]);
      expect(await told()).toEqual([['3: +7 -1', '1: +1 -1'], [6, 5, 4, 3, 2].map((number) => `+ note ${number}`)]);

      await deleteLesson({ collectionId, lesson, requestedAt: at(9) }, {});
      expect(await told()).toEqual([[], []]);
    });

    it('counts for the uplift, once per answer, whichever came first', async () => {
      const collectionId = aCollection('uplift', 'lessons');
      const { upload, feedback, outcomes, scanAndForget } = on();
      expect(await outcomes({ collectionId }, {})).toEqual({ recommended: none, holdout: none });
      await upload(collectionId, [find]);
      const give = (tokenDigest: string, given: Partial<GiveFeedbackRequest> = {}) =>
        feedback(someFeedback(collectionId, given.arm ? [] : [nameOf(find)], { tokenDigest, ...given }), {});
      const cite = (jobId: string, tokenDigest: string, acceptedAt: number) => {
        const cited = { tokenDigest, arm: 'holdout' as const, insightIds: [nameOf(find)] };
        return upload(collectionId, [], { jobId, acceptedAt, intent: 'east', run: failure, cited });
      };

      expect(await give('shown')).toEqual({ counted: true });
      expect(await give('held', { arm: 'holdout' })).toEqual({ counted: true });
      expect(await give('held', { arm: 'holdout', success: false, givenAt: 160 })).toEqual({ counted: false });
      expect(await give('empty', { arm: 'nothing_to_say' })).toEqual({ counted: true });
      await cite('later', 'held', 170);
      await cite('first', 'told', 140);
      await give('told', { arm: 'holdout' });
      const expected = { recommended: { told: 1, succeeded: 1 }, holdout: { told: 2, succeeded: 1 } };
      expect(await outcomes({ collectionId }, {})).toEqual(expected);

      // Twice: the second finds the summary that the first has written.
      for (let pass = 0; pass < 2; pass++) await scanAndForget(collectionId);
      expect((await rowsOf(collectionId, 'run')).map(({ jobId }) => jobId)).toEqual(['answers', 'job']);
      expect(await outcomes({ collectionId }, {})).toEqual(expected);
      expect(await give('held', { arm: 'holdout', givenAt: 180 })).toEqual({ counted: false });
      expect(await rowsOf(collectionId, 'vote')).toHaveLength(1);
    });

    it('is no task: a deletion by intent does not take it, an erasure does', async () => {
      const collectionId = aCollection('no task', 'lessons');
      const { upload, feedback, deleteByIntent, erase } = on();
      await upload(collectionId, [find]);
      await feedback(someFeedback(collectionId, [], { arm: 'holdout' }), {});
      const deletion = { collectionId, intent: 'north', similarityThreshold: 0, requestedAt: 200, dryRun: false };
      expect(await deleteByIntent(deletion, {})).toMatchObject({ deletedCount: 1 });
      expect((await rowsOf(collectionId, 'run')).map(({ jobId }) => jobId)).toEqual(['feedback_token']);
      await erase({ collectionId, requestedAt: 200 }, {});
      expect(await rowsOf(collectionId, 'run')).toEqual([]);
    });

    it('on what is not there does not count', async () => {
      const collectionId = aCollection('gone', 'lessons');
      const { upload, feedback } = on();
      const give = (names: string[]) => feedback(someFeedback(collectionId, names), {});
      expect(await give([nameOf(find)])).toEqual({ counted: false });
      await upload(collectionId, [find]);
      expect(await give([nameOf(grep), 'nonsense'])).toEqual({ counted: false });
      expect(await rowsOf(collectionId, 'vote')).toEqual([]);
      expect(await give([nameOf(find), nameOf(grep)])).toEqual({ counted: true });
      expect(await rowsOf(collectionId, 'vote')).toHaveLength(1);
    });
  });
}
