import type { SearchHit, Trust } from '@whetstone/contracts';
import { readExample } from '@whetstone/reading';
import fc from 'fast-check';
import { defaultEnhanceConfig } from './enhance-task.js';
import { foldLessons } from './fold-lessons.js';
import { judgeHits } from './judge-hits.js';
import { createRelateTasks } from './relate-tasks.js';
import { consolidated } from './test-kit/consolidated.js';
import { aHit, answerTo, type HitOptions, times } from './test-kit/hits.js';
import { typicalChanges } from './typical-changes.js';
import { createVouchedSteps } from './vouched-steps.js';

const disk = 'Free some disk space on the build machine';
const room = 'Book a room with breakfast for guest g-17';
const asked = [disk, room, 'Book a room with a view for guest g-99'];

/** What is learnt under each name. The changes belong to a run, so runs differ if these do. */
const learnt: (HitOptions & { changes?: string[] })[] = [
  { task: disk, example: 'du -sh /var/cache' },
  { task: disk, example: 'du  -sh  /var/cache' },
  { task: disk, example: 'ls -lS /var/cache' },
  { task: disk, example: 'apt-get install -y ncdu' },
  { task: disk, insight: { rule: 'model' } },
  { task: disk, insight: { rule: 'reply', confidence: 0.9 } },
  { task: disk, insight: { kind: 'pitfall', polarity: 'failure', rule: 'obstacle' }, run: { outcome: 'failure' } },
  { task: room, example: 'book_room({"guest_id": "g-17", "board": "breakfast"})', changes: ['book_room'] },
  { task: room, example: 'book_room({"guest_id": "g-17"})\nsend_mail({"to": "g-17"})', changes: ['book_room', 'mail'] },
];
const trusts: (Trust | undefined)[] = [undefined, 'low', 'high'];

interface Taught {
  lesson: number;
  run: number;
}

const taught = fc.array(fc.record({ lesson: fc.nat(learnt.length - 1), run: fc.nat(5) }), {
  minLength: 1,
  maxLength: 30,
});

/** The hit of each upload in turn. Only the first of a name has its votes. */
function hitsOf(uploads: readonly Taught[]): SearchHit[] {
  return uploads.map(({ lesson, run }, at) => {
    const { changes = [], ...options } = learnt[lesson] as (typeof learnt)[number];
    const { insight, task = '' } = options;
    const key = run % trusts.length;
    const trust = trusts[key];
    const first = uploads.findIndex((upload) => upload.lesson === lesson) === at;
    const hit = aHit({
      ...options,
      name: `lesson${lesson}.variant.${task.length}`,
      similarity: task === disk ? 0.9 : 0.7,
      insight: { title: `Title ${lesson}`, content: `Sentence ${lesson}.`, ...insight },
      run: { changes, ...options.run },
      origin: {
        jobId: `job-${at}`,
        keyId: `key-${key}`,
        bodyDigest: `${task} ${changes} ${run}`,
        acceptedAt: 1_000 + at,
        ...(trust && { trust }),
      },
      ...(first && { votes: { helped: lesson, harmed: 2 } }),
    });
    return { ...hit, score: 1 };
  });
}

/** Each name in the place of its first hit. */
function mergedHits(hits: readonly SearchHit[], isMerged: (name: string) => boolean): SearchHit[] {
  return hits.flatMap((hit, at) => {
    if (!isMerged(hit.name)) return [hit];
    const same = hits.filter(({ name }) => name === hit.name);
    return hits.findIndex(({ name }) => name === hit.name) === at ? [consolidated(same)] : [];
  });
}

function foldedFor(task: string, hits: readonly SearchHit[]) {
  const relations = createRelateTasks()(task).relationsTo();
  const judged = judgeHits(hits, {
    ...defaultEnhanceConfig,
    relations,
    vouched: createVouchedSteps({ task, wishes: relations.wishes, hits, severalKeys: false, read: readExample }),
    read: readExample,
  });
  return foldLessons(judged, readExample).map((lesson) => ({
    name: lesson.shown.name,
    example: lesson.example,
    support: lesson.support,
    trusted: lesson.trusted,
    keyIds: [...lesson.keyIds].sort(),
    trusts: [...lesson.trusts].sort(),
    jobs: [...lesson.sourceJobIds].sort(),
    votes: lesson.votes,
  }));
}

async function answered(task: string, hits: readonly SearchHit[]) {
  const { response, confidenceScore, recommendations } = await answerTo(task, hits);
  return { response, confidenceScore, told: recommendations.map(({ sourceJobIds: _, ...rest }) => rest) };
}

describe('consolidated insights', () => {
  it('are folded as the insights of their runs are', () => {
    fc.assert(
      fc.property(taught, fc.nat(learnt.length - 1), fc.constantFrom(...asked), (uploads, lesson, task) => {
        const hits = hitsOf(uploads);
        const merged = mergedHits(hits, (name) => name.startsWith(`lesson${lesson}.`));

        expect(foldedFor(task, merged)).toEqual(foldedFor(task, hits));
        expect(typicalChanges(merged)).toEqual(typicalChanges(hits));
      }),
      { numRuns: 100 },
    );
  });

  it('make the same answer, also if all are consolidated', async () => {
    await fc.assert(
      fc.asyncProperty(taught, fc.constantFrom(...asked), async (uploads, task) => {
        // Runs that several tallies share, some of low trust, are counted too low rather than too high.
        const hits = hitsOf(uploads.map(({ lesson, run }) => ({ lesson, run: run * learnt.length + lesson })));

        expect(
          await answered(
            task,
            mergedHits(hits, () => true),
          ),
        ).toEqual(await answered(task, hits));
      }),
      { numRuns: 100 },
    );
  });

  it('never count more trusted runs than there are', () => {
    fc.assert(
      fc.property(taught, fc.constantFrom(...asked), (uploads, task) => {
        const hits = hitsOf(uploads);
        const before = foldedFor(task, hits);

        for (const [at, { trusted, ...lesson }] of foldedFor(
          task,
          mergedHits(hits, () => true),
        ).entries()) {
          expect({ ...lesson, trusted: before[at]?.trusted }).toEqual(before[at]);
          expect(trusted.keys).toBe(before[at]?.trusted.keys);
          expect(trusted.runs).toBeLessThanOrEqual(before[at]?.trusted.runs ?? 0);
        }
      }),
      { numRuns: 100 },
    );
  });

  const runs = (count: number, more: HitOptions = {}) =>
    times(count, () => aHit({ task: disk, example: 'du -sh /var/cache', name: 'du.v.t', ...more }));

  it('count runs that they no longer list', async () => {
    const { recommendations } = await answerTo(disk, [consolidated(runs(100), 10), ...runs(2)]);

    expect(recommendations).toMatchObject([{ id: 'du', support: 102 }]);
  });

  it('do not count a run twice that another insight lists too', async () => {
    const [first, ...others] = runs(5) as [SearchHit, ...SearchHit[]];
    const other = aHit({ task: disk, example: 'du  -sh /var/cache', origin: first.origin });

    expect((await answerTo(disk, [consolidated([first, ...others]), other])).recommendations).toMatchObject([
      { support: 5 },
    ]);
  });

  it('tell how many runs there are, though the search found only this task', async () => {
    const limit = { searchLimit: 2 };
    const other = aHit({ task: disk, example: 'wc b' });

    expect((await answerTo(disk, [consolidated(runs(100))], limit)).texts[0]).toContain('· 100 runs]');
    expect((await answerTo(disk, [consolidated(runs(100)), other], limit)).texts[0]).toContain('· 100+ runs]');
  });

  it('show the spelling of most runs', async () => {
    const spelt = aHit({ task: disk, example: 'du  -sh /var/cache' });

    expect((await answerTo(disk, [spelt, consolidated(runs(2))])).texts[0]).toContain('du -sh /var/cache');
  });

  it('tell of several keys, so that risky lessons need two of them', async () => {
    const install = 'apt-get install -y ncdu';
    const risky = runs(3, { example: install, name: 'install.v.t', origin: { keyId: 'a' } });
    const others = ['b', 'a'].map((keyId, at) =>
      aHit({ task: room, name: 'r.v.t', origin: { keyId, acceptedAt: at } }),
    );

    expect((await answerTo(disk, [consolidated(risky)])).added).toContain(install);
    expect((await answerTo(disk, [consolidated(risky), consolidated(others)])).added).not.toContain(install);
    expect((await answerTo(disk, [consolidated(risky)], { severalKeys: true })).added).not.toContain(install);
  });
});

describe('of lessons that are equal otherwise', () => {
  it('the one learnt first comes first, whatever its row is called', async () => {
    const way = (example: string, acceptedAt: number) => ({
      ...aHit({ task: disk, example, name: `${example}.v.t`, origin: { acceptedAt, bodyDigest: example } }),
      score: 1,
    });
    const [early, late] = [way('ls a', 5), way('wc b', 9)];
    const first = async (...hits: SearchHit[]) => (await answerTo(disk, hits)).texts[0];

    expect(await first(late, early)).toContain('ls a');
    expect(await first({ ...late, id: 'a' }, { ...early, id: 'b' })).toContain('ls a');
    expect(await first(late, consolidated([early, way('ls a', 20)]))).toContain('ls a');
  });
});
