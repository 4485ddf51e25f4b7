import { gzipSync } from 'node:zlib';
import { type Account, createAccounts, unique } from '../support/accounts.js';
import type { Answer, Client } from '../support/client.js';
import type { BatchResult, ErrorBody, ValidationErrorBody } from '../support/contract.js';
import { inParallel } from '../support/eventually.js';
import { lessons, lessonUpload, shellSuccess } from '../support/uploads.js';

const accounts = createAccounts();
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

const linesOf = (lines: unknown[]) =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');

function send(body: string | Uint8Array, headers: Record<string, string> = {}, client: Client = account.client) {
  return client.request<BatchResult>('POST', '/store_knowledge/batch', {
    body,
    headers: { 'content-type': 'application/x-ndjson', ...headers },
  });
}

const statuses = ({ body }: Answer<BatchResult>) => body.results.map(({ line, status }) => [line, status]);

describe('POST /store_knowledge/batch', () => {
  it('tells for each line what became of it, in order, and a bad line does not affect the others', async () => {
    const tenantId = unique('batch');
    const other = await accounts.open();
    const answer = await send(
      `${linesOf([
        lessonUpload(tenantId, lessons.logs),
        'no JSON',
        '',
        { tenant_id: tenantId, query: 'x' },
        { ...lessonUpload(tenantId, lessons.sql), tenant_id: other.key },
        `  ${JSON.stringify(lessonUpload(tenantId, lessons.archive))}\r`,
        { ...lessonUpload(tenantId, lessons.ports), padding: 'x'.repeat(4 * 1024 * 1024) },
        lessonUpload(tenantId, lessons.ports),
      ])}\n`,
    );

    expect(answer.status).toBe(200);
    expect([answer.body.lines, answer.body.accepted]).toEqual([7, 3]);
    expect(statuses(answer)).toEqual([
      [1, 'accepted'],
      [2, 'invalid'],
      [4, 'invalid'],
      [5, 'forbidden'],
      [6, 'accepted'],
      [7, 'invalid'],
      [8, 'accepted'],
    ]);
    const [, broken, incomplete, forbidden] = answer.body.results;
    expect(broken?.detail).toMatchObject([{ type: 'json_invalid' }]);
    expect(incomplete?.detail).toEqual([{ loc: ['body', 'turns'], msg: 'Field required', type: 'missing' }]);
    expect(forbidden?.error).toBe('tenant_forbidden');
    const jobs = answer.body.results.flatMap(({ job_id }) => job_id ?? []);
    expect((await inParallel(jobs, 3, account.client.jobEnded)).map(({ outcome }) => outcome)).toEqual(
      jobs.map(() => 'stored'),
    );
    const { response } = await account.client.enhance({ tenant_id: tenantId, input_text: lessons.archive.asked });
    expect(response).toContain(lessons.archive.command);
  });

  it('says of a line what a single upload of it would be told', async () => {
    const bad = [{ tenant_id: 1, turns: [{ turn: 'x' }] }, [], 7, null, { ...lessonUpload('', lessons.sql) }];
    const batch = await send(linesOf(bad));

    const singles = await inParallel(bad, 2, (body) =>
      account.client.request<ValidationErrorBody>('POST', '/store_knowledge', { body: JSON.stringify(body) }),
    );

    expect(batch.body.results.map(({ detail }) => detail)).toEqual(singles.map(({ body }) => body.detail));
  });

  it('takes thousands of lines at once, zipped or not, each its own job', async () => {
    const busy = await accounts.open();
    const tenantId = unique('many');
    const uploads = Array.from({ length: 2000 }, (_, index) =>
      shellSuccess(tenantId, `Rename folder ${index}`, `mv ${index} old`),
    );

    const plain = await send(linesOf(uploads), {}, busy.client);
    const some = gzipSync(linesOf(uploads.slice(0, 200)));
    const zipped = await send(some, { 'content-encoding': 'gzip' }, busy.client);

    const ids = [plain, zipped].flatMap(({ body: { results } }) => results.map(({ job_id }) => job_id));
    expect([plain.body.accepted, zipped.body.accepted]).toEqual([2000, 200]);
    expect(new Set(ids).size).toBe(2200);
    const asked = await inParallel(ids.filter((_, index) => index % 199 === 0) as string[], 4, busy.client.job);
    expect(asked.filter(({ status }) => status === 'failed')).toEqual([]);
    await busy.client.discard(tenantId);
  });

  it('sent again with its Idempotency-Key is the same jobs', async () => {
    const tenantId = unique('again');
    const headers = { 'idempotency-key': 'import 1' };
    const body = linesOf([lessonUpload(tenantId, lessons.logs), 'bad', lessonUpload(tenantId, lessons.sql)]);
    const first = await send(body, headers);

    expect((await send(gzipSync(body), { ...headers, 'content-encoding': 'gzip' })).body).toEqual(first.body);
    const single = await account.client.store(lessonUpload(tenantId, lessons.sql), headers);
    expect(single.job_id).toBe(first.body.results[2]?.job_id);
    expect((await send(body)).body.results[0]?.job_id).not.toBe(first.body.results[0]?.job_id);
  });

  it('keeps the jobs and knowledge of accounts apart', async () => {
    const tenantId = unique('apart');
    const other = await accounts.open();
    const { body } = await send(linesOf([lessonUpload(tenantId, lessons.ports)]));
    const jobId = body.results[0]?.job_id as string;
    await account.client.jobEnded(jobId);

    expect((await other.client.request('GET', `/knowledge_status/${jobId}`)).status).toBe(404);
    const input = { tenant_id: tenantId, input_text: lessons.ports.asked };
    expect((await other.client.enhance(input)).response).toBe(input.input_text);
  });

  it.each([
    ['nothing', '', {}, 422],
    ['blank lines', '\n \n\r\n', {}, 422],
    ['what is not gzipped as gzip', '{}', { 'content-encoding': 'gzip' }, 422],
    ['plain text', '{}', { 'content-type': 'text/plain' }, 415],
    ['more lines than a batch may have', '\n'.repeat(20_001), {}, 413],
    ['a bad Idempotency-Key', '{}', { 'idempotency-key': 'x'.repeat(256) }, 422],
  ])('%s is refused as a whole', async (_, body, headers, status) => {
    expect((await send(body, headers as Record<string, string>)).status).toBe(status);
  });

  it('of more than 32 MiB is a 413, also when it is only so large once unpacked', async () => {
    const body = Buffer.alloc(32 * 1024 * 1024 + 1, '\n');

    for (const answer of [await send(body), await send(gzipSync(body), { 'content-encoding': 'gzip' })]) {
      expect([answer.status, (answer as unknown as Answer<ErrorBody>).body.error]).toEqual([413, 'body_too_large']);
    }
  });

  it('of 32 MiB is taken', async () => {
    const busy = await accounts.open();
    const tenantId = unique('full');
    const line = JSON.stringify({ ...lessonUpload(tenantId, lessons.sql), padding: 'x'.repeat(1024 * 1024 - 500) });
    const body = Buffer.alloc(32 * 1024 * 1024, ' ');
    for (let at = 0; at < 31; at++) body.write(`${line}\n`, at * (line.length + 1));

    const answer = await send(body, {}, busy.client);

    expect([answer.status, answer.body.accepted]).toEqual([200, 31]);
  });
});
