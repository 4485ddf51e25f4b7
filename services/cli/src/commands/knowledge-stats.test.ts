import { defaultCollectionIdOf, workflowCollectionIdOf } from '@whetstone/identity';
import type { Row } from '@whetstone/indexer';

import { TestInstallation } from '../test-kit/installation.js';
import { aSummary, aVote, consolidatedRows, fill, lessonName, rowsOf } from '../test-kit/knowledge.js';

const acme = defaultCollectionIdOf('acme');
const shop = workflowCollectionIdOf('acme', 'shop');
let installation: TestInstallation;

beforeEach(async () => {
  installation = await TestInstallation.create();
});
afterEach(() => installation.remove());

/** A job whose insight has another name. */
function named(collectionId: string, jobId: string, name: string): Row[] {
  const [run, insight] = rowsOf(collectionId, jobId) as [Row, Row];
  return [run, { ...insight, name, body: JSON.stringify({ ...JSON.parse(insight.body), name }) }];
}

describe('knowledge stats', () => {
  it('counts rows, lessons, exemplars and votes, and says what consolidation saves', async () => {
    await fill(installation, [
      ...consolidatedRows(acme),
      aSummary(acme, '1', 1),
      ...named(acme, 'job_4', lessonName.replace('delete-1', 'delete-2')),
      ...named(acme, 'job_5', lessonName.replace('lesson', 'LESSON')),
      ...rowsOf(acme, 'job_6', { earlier: true }),
      aVote(acme, 'job_7', 'job_6'),
    ]);

    const stats = await installation.ask<Record<string, unknown>>('knowledge', 'stats');

    expect(stats).toMatchObject({
      collections: 1,
      rows: { run: 5, insight: 4, vote: 1 },
      lessons: 2,
      exemplars: { total: 3, per_lesson: 1.5, most_per_lesson: 2 },
      insights: { total: 4, consolidated: 1, unnamed: 1 },
      runs_consolidated: 3,
      votes_tallied: 3,
      oldest: '1970-01-01T00:00:00.001000Z',
      newest: '1970-01-01T00:01:00.000000Z',
    });
    expect(stats['bytes']).toBeGreaterThan(10 * 384 * 4);
    expect(stats['file_bytes']).toBeGreaterThan(Number(stats['bytes']));
  });

  it('counts a run once that taught several consolidated insights', async () => {
    const [, insight] = consolidatedRows(acme) as [Row, Row];
    const other = lessonName.replace('lesson', 'LESSON');
    const id = insight.id.replace(lessonName, other);
    await fill(installation, [...consolidatedRows(acme), { ...insight, id, jobId: other, name: other }]);

    // Three runs with two insights each, and three votes on each insight; three rows are there.
    expect(await installation.ask('knowledge', 'stats')).toMatchObject({
      saved: { rows_without_consolidation: 15, share: 0.8 },
    });
  });

  it('lists collections by size, and those of one account or name where that is asked for', async () => {
    await fill(installation, [
      ...rowsOf(acme, 'job_1'),
      ...Array.from({ length: 101 }, (_, n) => rowsOf(shop, `job_${1000 + n}`)).flat(),
      ...rowsOf(defaultCollectionIdOf('other'), 'job_2'),
    ]);
    const stats = (...options: string[]) => installation.ask('knowledge', 'stats', ...options);

    expect(await stats()).toMatchObject({
      collections: 3,
      by_size: [
        { insights_up_to: 100, collections: 2, lessons: 2 },
        { insights_up_to: 1000, collections: 1, rows: { insight: 101 } },
      ],
    });
    expect(await stats('--account', 'acme')).toMatchObject({ collections: 2 });
    expect(await stats('--account', 'acme', '--collection', 'shop')).toMatchObject({ rows: { insight: 101 } });
  });

  it('shows people a table', async () => {
    await fill(installation, [...consolidatedRows(acme), ...rowsOf(shop, 'job_1')]);

    const { stdout } = await installation.run('knowledge', 'stats');

    expect(stdout.replace(/[\d,]+(?= bytes)|(?<=bytes of rows +)[\d,]+/g, 'N').split('\n')).toEqual([
      '                            all',
      'collections                 2',
      'rows                        4',
      '  runs                      2',
      '  insights                  2',
      '  votes                     0',
      'lessons                     2',
      'exemplars                   2',
      '  per lesson                1.0',
      '  maximum per lesson        1',
      'consolidated insights       1',
      '  runs they represent       3',
      '  votes they count          3',
      'insights without a name     0',
      'rows without consolidation  11',
      '  saved                     63.6 %',
      'bytes of rows               N',
      'oldest                      1970-01-01 00:00:00',
      'newest                      1970-01-01 00:01:00',
      '',
      'Database file: N bytes',
      '',
    ]);
  });

  it('has nothing to tell about nothing', async () => {
    expect(await installation.ask('knowledge', 'stats')).toMatchObject({
      collections: 0,
      exemplars: { per_lesson: null },
      saved: { share: null },
      oldest: null,
      by_size: [],
    });
  });
});
