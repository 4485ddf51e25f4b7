import { copyFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { topics } from '@whetstone/contracts';
import { encodeMessage } from '@whetstone/event-log';
import { createDataKey, defaultCollectionIdOf, keyOfDataKeyEvent, workflowCollectionIdOf } from '@whetstone/identity';
import type { Row } from '@whetstone/indexer';

import { runCommand, TestInstallation } from '../test-kit/installation.js';
import {
  aDecision,
  aVote,
  change,
  fill,
  linesOf,
  rowsIn,
  rowsOf,
  unitVector,
  withStore,
} from '../test-kit/knowledge.js';

const acme = defaultCollectionIdOf('acme');
const other = workflowCollectionIdOf('other', 'checkout-bot');
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

/** An installation with one job in each of two collections, that tests only read, and what it exports of the first. */
let filled: TestInstallation;
let exported: string;

beforeAll(async () => {
  filled = await TestInstallation.create();
  exported = join(filled.folder.path, 'exported.jsonl');
  await fill(filled, [...rowsOf(acme, 'job_1'), ...rowsOf(other, 'job_2')]);
  await filled.ask('knowledge', 'export', '--account', 'acme', '--out', exported);
});
afterAll(() => filled.remove());

describe('knowledge export', () => {
  it('writes every row of every collection, one a line, with its vector and the name of the model', async () => {
    expect(await filled.ask('knowledge', 'export', '--out', file)).toEqual({ rows: 4, collections: 2, file });

    const lines = await linesOf(file);
    expect(lines.map(({ type }) => type)).toEqual(['run', 'insight', 'run', 'insight']);
    expect(lines).toContainEqual(expect.objectContaining({ job_id: 'job_2', type: 'run' }));
    expect(lines.find((line) => line['job_id'] === 'job_1' && line['type'] === 'insight')).toMatchObject({
      collection_id: acme,
      job_id: 'job_1',
      accepted_at: 1000,
      intent: 'delete log files',
      body: { insight: { title: 'Use find' } },
      model: 'all-MiniLM-L6-v2-int8',
      dimension: 384,
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('writes rows alone to standard output, and the count beside it', async () => {
    const { code, stdout, stderr } = await filled.run('knowledge', 'export', '--account', 'acme');

    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).job_id),
    ).toEqual(['job_1', 'job_1']);
    expect(stderr).toBe('Exported 1 collection, 2 rows\n');
  });

  it.each([
    ['one collection', ['--collection', other], ['job_2', 'job_2']],
    ['one by its name', ['--account', 'other', '--collection', 'checkout-bot'], ['job_2', 'job_2']],
    ['one account', ['--account', 'acme'], ['job_1', 'job_1']],
    ['an account without knowledge', ['--account', 'nobody'], []],
  ])('writes %s where that is asked for', async (_, options, jobs) => {
    await filled.ask('knowledge', 'export', '--out', file, ...options);

    expect((await linesOf(file)).map((line) => line['job_id'])).toEqual(jobs);
  });

  it('writes all of a collection that has more rows than are read at a time', async () => {
    await fill(source, Array.from({ length: 250 }, (_, index) => rowsOf(acme, `job_${1000 + index}`)).flat());

    expect(await source.ask('knowledge', 'export', '--out', file)).toMatchObject({ rows: 500 });
    expect(new Set((await linesOf(file)).map((line) => line['job_id'])).size).toBe(250);
  });

  it('writes for people where that is asked for: runs and what they taught, without control characters', async () => {
    const [run, insight] = rowsOf(other, 'job_1') as [Row, Row];
    const body = JSON.parse(insight.body);
    Object.assign(body.insight, {
      appliesWhen: 'files are\nold',
      steps: ['Look', 'Delete'],
      example: 'find / \u001b[31m\n  -delete',
    });
    await fill(source, [run, { ...insight, body: JSON.stringify(body) }, aVote(other, 'job_2', 'job_1')]);
    const named = createDataKey(source.roots, other, 1, 'checkout\nbot');
    await source.append(topics.collections.name, { key: keyOfDataKeyEvent(named), value: await encodeMessage(named) });

    const { code, stdout } = await source.run('knowledge', 'export', '--format', 'markdown');

    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        `# Collection checkout bot (${other})`,
        '## delete log files',
        'uploaded 1970-01-01 00:00:00 UTC, succeeded, job_1, key k',
        '### Use find',
        'Let find delete.',
        '- Kind: strategy, confidence 70 %\n- When: files are old\n- Step 1: Look\n- Step 2: Delete',
        'Example:',
        '    find / \ufffd[31m\n      -delete',
        '',
      ].join('\n\n'),
    );
  });

  it('shows ids where names cannot be read, and says so', async () => {
    await fill(source, rowsOf(other, 'job_1'));
    await writeFile(source.folder.log, 'this is no database'.repeat(1000));

    const { code, stdout, stderr } = await source.run('knowledge', 'export', '--format', 'markdown');

    expect(code).toBe(0);
    expect(stdout).toContain(`# Collection ${other}\n`);
    expect(stderr).toContain('The names of collections cannot be read, so their ids are shown: ');
  });

  it.each([
    ['its folder does not exist', 'missing/knowledge.jsonl'],
    ['it is a folder', ''],
    ['its folder is a file', 'root.secret/knowledge.jsonl'],
  ])('says why a file cannot be written: %s', async (reason, name) => {
    const path = join(source.folder.path, name);

    expect(await source.run('knowledge', 'export', '--out', path)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${path} cannot be written: ${reason}\n`,
    });
  });

  it('answers with an object only where the rows go elsewhere', async () => {
    expect(await source.run('knowledge', 'export', '--json')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--json needs --out'),
    });
  });
});

describe('knowledge import', () => {
  it('stores what was exported, to the last bit, and once however often it is run', async () => {
    await filled.ask('knowledge', 'export', '--out', file);

    const counts = { rows: 4, stored: 4, superseded: 0, deleted: 0, embedded_again: 0 };
    expect(await target.ask('knowledge', 'import', file)).toEqual(counts);
    expect(await target.ask('knowledge', 'import', file)).toEqual(counts);

    expect(await rowsIn(target, acme)).toEqual(rowsOf(acme, 'job_1'));
    expect(await rowsIn(target, other)).toEqual(rowsOf(other, 'job_2'));
  });

  it('stores the export of an earlier version as this one would have written it', async () => {
    await fill(source, rowsOf(acme, 'job_1', { earlier: true }));
    await source.ask('knowledge', 'export', '--out', file);

    expect(await target.ask('knowledge', 'import', file)).toMatchObject({ stored: 2 });
    const bodies = (await rowsIn(target, acme)).map(({ body }) => JSON.parse(body));
    expect(bodies[1]).toMatchObject({ insight: { scope: 'task', rule: 'old', effects: [] }, run: { changes: [] } });
  });

  it('is found by a server that has the store open', async () => {
    await withStore(target, async (store) => {
      const query = { vector: unitVector(1), text: '', limit: 5 };
      expect((await store.search(acme, query)).byMeaning).toEqual([]);
      await target.ask('knowledge', 'import', exported);
      expect((await store.search(acme, query)).byMeaning.map(({ jobId }) => jobId)).toEqual(['job_1']);
    });
  });

  it('embeds again what another model embedded', async () => {
    await copyFile(exported, file);
    await change(file, (line) => ({ ...line, model: 'another-model' }));

    expect(await target.ask('knowledge', 'import', file)).toMatchObject({ stored: 2, embedded_again: 2 });

    const [run, insight] = await rowsIn(target, acme);
    expect(insight?.vector).toHaveLength(384);
    expect(Array.from(insight?.vector ?? [])).not.toEqual(Array.from(unitVector(1)));
    expect(insight?.vector).toEqual(run?.vector);
  });

  it('embeds as a server does, in general words', async () => {
    const rows = ['/var/log/app', '/srv/www/log'].flatMap((path, n) =>
      rowsOf(acme, `job_${n}`).map((row) => ({ ...row, intent: `Delete the log files under ${path}` })),
    );
    await fill(source, rows);
    await source.ask('knowledge', 'export', '--out', file);
    await change(file, (line) => ({ ...line, model: 'another-model' }));
    await target.ask('knowledge', 'import', file);

    const [one, , other] = await rowsIn(target, acme);
    expect(one?.intent).not.toBe(other?.intent);
    expect(Array.from(one?.vector ?? [])).toEqual(Array.from(other?.vector ?? []));
  });

  it('brings votes along, though a vote may stand before its insight, and none without its insight', async () => {
    const insight = rowsOf(acme, 'job_9');
    await fill(source, [...insight, aVote(acme, 'job_1', 'job_9'), aVote(acme, 'job_2', 'job_gone')]);
    await source.ask('knowledge', 'export', '--out', file);

    expect(await target.ask('knowledge', 'import', file)).toMatchObject({ rows: 4, stored: 3, deleted: 1 });

    expect(await rowsIn(target, acme)).toEqual([aVote(acme, 'job_1', 'job_9'), ...insight]);
    const votes = await withStore(target, (store) => store.votesOn(acme, ['job_9/1'], 10));
    expect(votes).toMatchObject([{ id: aVote(acme, 'job_1', 'job_9').id }]);

    await change(file, (line) => ({ ...line, model: 'another-model' }));
    expect(await target.ask('knowledge', 'import', file)).toMatchObject({ stored: 3, embedded_again: 2 });
  });

  it('brings all decisions along, and the settings, whatever the model', async () => {
    const lesson = 'a'.repeat(16);
    const decisions = [
      aDecision(acme, lesson, '1', { lesson, state: 'muted', keyId: 'k', decidedAt: 1 }),
      aDecision(acme, lesson, '2', { lesson, wording: { title: 'Mine' }, keyId: 'k', decidedAt: 2 }),
      aDecision(acme, 'settings', '1', { settings: { review: 'required' }, keyId: 'k', changedAt: 1 }),
    ];
    await fill(source, decisions);
    await source.ask('knowledge', 'export', '--out', file);
    await change(file, (line) => ({ ...line, model: 'another-model' }));

    expect(await target.ask('knowledge', 'import', file)).toMatchObject({ stored: 3, embedded_again: 0 });

    expect(await rowsIn(target, acme)).toEqual(decisions);
  });

  it('leaves out what a later attempt has replaced', async () => {
    await fill(target, rowsOf(acme, 'job_1', { attempt: '2' }));

    expect(await target.ask('knowledge', 'import', exported)).toMatchObject({ stored: 0, superseded: 2 });
    expect((await rowsIn(target, acme)).map(({ attempt }) => attempt)).toEqual(['2', '2']);
  });

  it('leaves out what was deleted by intent since, unless told to bring it back', async () => {
    const marker = { collectionId: acme, intent: 'delete log files', vector: unitVector(1), threshold: 0.5 };
    await withStore(target, (store) => store.addMarker({ ...marker, deletedAt: 2000 }));

    const { stdout } = await target.run('knowledge', 'import', exported);
    expect(stdout).toContain('0 of 2 rows stored.\n2 skipped: deleted by intent since');
    expect(await rowsIn(target, acme)).toEqual([]);

    expect(await target.ask('knowledge', 'import', exported, '--include-deleted')).toMatchObject({
      stored: 2,
      deleted: 0,
    });
    expect(await rowsIn(target, acme)).toHaveLength(2);
  });

  it('names every bad line, and then stores nothing at all', async () => {
    const [run, insight] = await linesOf(exported);
    const insightBody = insight?.['body'] as { insight: object; origin: object };
    const bad = [
      '{"broken',
      '[]',
      JSON.stringify({ ...insight, collection_id: '../etc' }),
      JSON.stringify({ ...insight, type: 'rumour' }),
      JSON.stringify({ ...insight, vector: 'AAAA' }),
      JSON.stringify({ ...insight, vector: Buffer.alloc(384 * 4).toString('base64') }),
      JSON.stringify({ ...insight, body: { ...insightBody, insight: { ...insightBody.insight, steps: 'one' } } }),
      JSON.stringify({ ...insight, text: 'x'.repeat(65_536) }),
      JSON.stringify({ ...insight, accepted_at: '2026' }),
      JSON.stringify({ ...insight, body: { ...insightBody, insight: { ...insightBody.insight, effects: ['magic'] } } }),
      JSON.stringify({ ...insight, body: { ...insightBody, insight: { ...insightBody.insight, scope: 'all' } } }),
      JSON.stringify({ ...insight, body: { ...insightBody, origin: { ...insightBody.origin, trust: 'full' } } }),
    ];
    await writeFile(file, [JSON.stringify(run), '', ...bad, ''].join('\n'));

    const { code, stderr } = await target.run('knowledge', 'import', file);

    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([
      `Nothing was imported from ${file}. Invalid lines:`,
      '  line 3: not valid JSON',
      '  line 4: it must be object',
      expect.stringMatching(/^ {2}line 5: collection_id must match pattern/),
      expect.stringMatching(/^ {2}line 6: it value of tag "type" must be in oneOf/),
      '  line 7: vector does not have 384 numbers',
      '  line 8: vector is not of unit length',
      '  line 9: body.insight.steps must be array',
      '  line 10: text has more than 65535 bytes',
      '  line 11: accepted_at must be integer',
      '  line 12: body.insight.effects.0 must be equal to one of the allowed values',
      '  line 13: body.insight.scope must be equal to one of the allowed values',
      '  line 14: body.origin.trust must be equal to one of the allowed values',
    ]);
    expect(await rowsIn(target, acme)).toEqual([]);
  });

  it('refuses what can be read but once, such as a pipe, instead of finding it empty', async () => {
    const flowing = source.folder.path;

    const { code, stderr } = await target.run('knowledge', 'import', flowing);

    expect(code).toBe(1);
    expect(stderr).toContain(`${flowing} is not a regular file`);
  });

  it('says so when there is no such file', async () => {
    expect(await target.run('knowledge', 'import', `${file}.gone`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${file}.gone cannot be read: ENOENT`),
    });
  });
});

describe('knowledge check', () => {
  it('says how knowledge is kept, and leaves it as it is', async () => {
    await fill(source, rowsOf(acme, 'job_1'));

    expect(await source.ask('knowledge', 'check')).toEqual({ kept_as: 'all-MiniLM-L6-v2-int8' });
    expect((await source.run('knowledge', 'check')).stdout).toBe(
      'The store is available. Knowledge is stored as all-MiniLM-L6-v2-int8.\n',
    );
    expect(await rowsIn(source, acme)).toHaveLength(2);
  });

  it('refuses a store that another embedding model has filled', async () => {
    await fill(source, rowsOf(acme, 'job_1'));
    const env = {
      WHETSTONE_DATA: source.folder.path,
      WHETSTONE_EMBEDDING_MODEL: 'another',
      WHETSTONE_EMBEDDING_BASE_URL: 'http://127.0.0.1:1/v1',
      WHETSTONE_EMBEDDING_DIMENSION: '8',
    };

    expect(await runCommand(['knowledge', 'check'], env)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('all-MiniLM-L6-v2-int8'),
    });
  });
});
