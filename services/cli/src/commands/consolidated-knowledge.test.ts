import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { defaultCollectionIdOf } from '@whetstone/identity';

import { TestInstallation } from '../test-kit/installation.js';
import {
  aSummary,
  change,
  consolidatedRows,
  fill,
  lessonName,
  linesOf,
  rowsIn,
  rowsOf,
} from '../test-kit/knowledge.js';

const acme = defaultCollectionIdOf('acme');
let source: TestInstallation;
let target: TestInstallation;
let file: string;

beforeEach(async () => {
  source = await TestInstallation.create();
  target = await TestInstallation.create();
  file = join(source.folder.path, 'knowledge.jsonl');
});
afterEach(async () => {
  await source.remove();
  await target.remove();
});

describe('an export of consolidated knowledge', () => {
  it('tells people how many runs an insight stands for, and leaves summaries out', async () => {
    await fill(source, [...consolidatedRows(acme), aSummary(acme, '1', 1)]);

    const { stdout } = await source.run('knowledge', 'export', '--format', 'markdown');

    expect(stdout).toBe(
      [
        `# Collection ${acme}`,
        '## delete log files',
        'uploaded 1970-01-01 00:00:00 UTC, succeeded, job_3, key k',
        '### Use find',
        'Let find delete.',
        '- 3 runs, first 1970-01-01 00:00:00 UTC, last 1970-01-01 00:01:00 UTC\n- Kind: strategy, confidence 70 %',
        '',
      ].join('\n\n'),
    );
  });
});

describe('an import of consolidated knowledge', () => {
  it('stores tallies and summaries, once however often it is run', async () => {
    const rows = [aSummary(acme, '1', 1), ...consolidatedRows(acme)].sort((a, b) => (a.id < b.id ? -1 : 1));
    await fill(source, rows);
    await source.ask('knowledge', 'export', '--out', file);

    for (let time = 0; time < 2; time++) {
      expect(await target.ask('knowledge', 'import', file)).toMatchObject({ rows: 3, stored: 3 });
      expect(await rowsIn(target, acme)).toEqual(rows);
    }

    await change(file, (line) => ({ ...line, model: 'another-model' }));
    expect(await target.ask('knowledge', 'import', file)).toMatchObject({ stored: 3, embedded_again: 2 });
  });

  it('refuses counts that do not belong where they are, or have another shape', async () => {
    await fill(source, [aSummary(acme, '1', 1), ...consolidatedRows(acme), ...rowsOf(acme, 'job_1')]);
    await source.ask('knowledge', 'export', '--out', file);
    const lines = await linesOf(file);
    const find = (jobId: string, type: string) =>
      lines.find((line) => line['job_id'] === jobId && line['type'] === type) as { body: { tally: object } };
    const [insight, plain] = [find(lessonName, 'insight'), find('job_1', 'insight')];
    const [summary, run] = [find('answers', 'run'), find('job_1', 'run')];
    const tallied = (changed: object) => ({
      ...insight,
      body: { ...insight.body, tally: { ...insight.body.tally, ...changed } },
    });
    const bad = [
      tallied({ runs: 0 }),
      tallied({ runs: '3' }),
      tallied({ digests: 'short' }),
      tallied({ jobIds: Array.from({ length: 9 }, () => 'job') }),
      tallied({ votes: { helped: -1, harmed: 0, tokens: { helped: '', harmed: '' } } }),
      tallied({
        votes: { helped: 1, harmed: 0, tokens: { helped: '', harmed: '' }, days: { helped: '1', harmed: '' } },
      }),
      tallied({ votes: { helped: 1, harmed: 0, tokens: { helped: '', harmed: '' }, notes: [{ note: 'why' }] } }),
      tallied({ more: 1 }),
      { ...insight, body: { ...insight.body, name: 'lesson' } },
      { ...insight, body: { ...insight.body, name: 'another-lesson--.variant1.delete-1' } },
      { ...insight, body: plain.body },
      { ...plain, body: insight.body },
      { ...summary, body: { ...summary.body, answers: { uploads: 1 } } },
      { ...run, body: summary.body },
    ];
    await writeFile(file, bad.map((line) => JSON.stringify(line)).join('\n'));

    const { stderr } = await target.run('knowledge', 'import', file);

    expect(stderr.trimEnd().split('\n').slice(1)).toEqual([
      '  line 1: body.tally.runs must be >= 1',
      '  line 2: body.tally.runs must be integer',
      expect.stringContaining('line 3: body.tally.digests must match pattern'),
      '  line 4: body.tally.jobIds must NOT have more than 8 items',
      '  line 5: body.tally.votes.helped must be >= 0',
      expect.stringContaining('line 6: body.tally.votes.days.helped must match pattern'),
      "  line 7: body.tally.votes.notes.0 must have required property 'givenAt'",
      '  line 8: body.tally must NOT have additional properties',
      expect.stringContaining('line 9: body.name must match pattern'),
      '  line 10: body.name is not job_id, or ordinal is not 1',
      '  line 11: body.tally and a name as job_id belong together',
      '  line 12: body.tally and a name as job_id belong together',
      "  line 13: body.answers must have required property 'untold'",
      '  line 14: body.answers and the job_id "answers" belong together',
    ]);
  });
});
