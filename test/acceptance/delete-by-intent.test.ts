import { type Account, createAccounts, unique } from '../support/accounts.js';
import type { ValidationErrorBody } from '../support/contract.js';
import { inParallel } from '../support/eventually.js';
import { lessons, lessonUpload, shellSuccess } from '../support/uploads.js';

const accounts = createAccounts();
const success = 'Successfully deleted matching documents';
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

async function learnedCollection(): Promise<{ tenantId: string; insights: number }> {
  const tenantId = unique('delete');
  const jobs = await inParallel(Object.values(lessons), 4, (lesson) =>
    account.client.learn(lessonUpload(tenantId, lesson)),
  );
  return { tenantId, insights: jobs.reduce((sum, { insights_stored }) => sum + (insights_stored ?? 0), 0) };
}

async function answerTo(query: string) {
  return account.client.request<ValidationErrorBody>('POST', `/delete_by_intent?${query}`);
}

const asks = (tenantId: string, task: string) => account.client.enhance({ tenant_id: tenantId, input_text: task });

describe('delete_by_intent', () => {
  it('deletes what matches and nothing else, and says how much', async () => {
    const { tenantId } = await learnedCollection();

    const result = await account.client.deleteByIntent({
      tenant_id: tenantId,
      intent: lessons.logs.task,
      similarity_threshold: 0.8,
    });

    expect(result).toEqual({ deleted_count: expect.any(Number), status: success });
    expect(result.deleted_count).toBeGreaterThanOrEqual(1);
    expect((await asks(tenantId, lessons.logs.task)).response).not.toContain(lessons.logs.command);
    expect((await asks(tenantId, lessons.sql.task)).response).toContain(lessons.sql.command);
  });

  it('deletes everything at threshold 0, and enhance_task says nothing any more', async () => {
    const { tenantId, insights } = await learnedCollection();

    // A cosine may be negative, so that even 0 may leave the most unlike.
    const { deleted_count } = await account.client.deleteByIntent({
      tenant_id: tenantId,
      intent: 'Run a command in the shell on files, archives, ports and tables',
      similarity_threshold: 0,
    });

    expect(deleted_count).toBe(insights);
    for (const { task } of Object.values(lessons)) expect((await asks(tenantId, task)).response).toBe(task);
  });

  it('of a collection that does not exist deletes nothing', async () => {
    expect(await account.client.deleteByIntent({ tenant_id: unique('nobody'), intent: 'anything' })).toEqual({
      deleted_count: 0,
      status: expect.any(String),
    });
  });

  it('counts the insights, however many there are, exactly', async () => {
    const tenantId = unique('many');
    const uploads = Array.from({ length: 120 }, (_, index) =>
      shellSuccess(
        tenantId,
        `Show the last ${index + 5} lines of the file server-${index}.log`,
        `tail -n ${index + 5} server-${index}.log`,
      ),
    );
    const acknowledged = await inParallel(uploads, 8, (upload) => account.client.store(upload));
    const jobs = await inParallel(acknowledged, 8, ({ job_id }) => account.client.jobEnded(job_id));
    const stored = jobs.reduce((sum, { insights_stored }) => sum + (insights_stored ?? 0), 0);
    const parameters = { tenant_id: tenantId, intent: 'Show the last lines of a log file', similarity_threshold: 0.3 };

    const counted = await account.client.deleteByIntent({ ...parameters, dry_run: true });
    const deleted = await account.client.deleteByIntent(parameters);
    const again = await account.client.deleteByIntent(parameters);

    expect(stored).toBeGreaterThanOrEqual(uploads.length);
    expect(counted.deleted_count).toBe(stored);
    expect(counted.matches).toHaveLength(20);
    expect(deleted.deleted_count).toBe(stored);
    expect(again.deleted_count).toBe(0);
  });

  it('does not touch other collections', async () => {
    const [one, other] = [await learnedCollection(), await learnedCollection()];

    await account.client.deleteByIntent({
      tenant_id: one.tenantId,
      intent: lessons.archive.task,
      similarity_threshold: 0.1,
    });

    expect((await asks(other.tenantId, lessons.archive.task)).response).toContain(lessons.archive.command);
  });

  it('deletes what was accepted before it and is processed after it', async () => {
    const tenantId = unique('late');
    const { task, command } = lessons.ports;
    const ahead = Array.from({ length: 40 }, () => lessonUpload(tenantId, lessons.sql));
    const queued = await inParallel(ahead, 8, (upload) => account.client.store(upload));
    const late = await account.client.store(lessonUpload(tenantId, lessons.ports));

    await account.client.deleteByIntent({ tenant_id: tenantId, intent: task, similarity_threshold: 0.8 });
    const job = await account.client.jobEnded(late.job_id);
    await inParallel(queued, 8, ({ job_id }) => account.client.jobEnded(job_id));

    expect(job.status).toBe('completed');
    expect((await asks(tenantId, task)).response).not.toContain(command);
    if (job.outcome === 'deleted') expect(job.insights_stored).toBe(0);
  });

  it('does not delete what is uploaded afterwards', async () => {
    const tenantId = unique('again');
    await account.client.learn(lessonUpload(tenantId, lessons.ports));
    await account.client.deleteByIntent({ tenant_id: tenantId, intent: lessons.ports.task });
    await new Promise((resolve) => setTimeout(resolve, 1100));

    const job = await account.client.learn(lessonUpload(tenantId, lessons.ports));

    expect(job.outcome).toBe('stored');
    expect((await asks(tenantId, lessons.ports.task)).response).toContain(lessons.ports.command);
  });
});

describe('a dry run', () => {
  it('counts and deletes nothing, and lists the matches, the least similar first', async () => {
    const { tenantId, insights } = await learnedCollection();
    const parameters = { tenant_id: tenantId, intent: lessons.sql.task, similarity_threshold: 0, dry_run: true };

    const result = await account.client.deleteByIntent(parameters);

    expect(result.deleted_count).toBeGreaterThanOrEqual(1);
    expect(result.deleted_count + (result.remaining_count ?? 0)).toBe(insights);
    const similarities = result.matches?.map(({ similarity }) => similarity) ?? [];
    expect(similarities).toEqual([...similarities].sort((a, b) => a - b));
    expect(similarities).toHaveLength(Math.min(result.deleted_count, 20));
    for (const match of result.matches ?? []) {
      expect(match).toEqual({
        id: expect.stringMatching(/./),
        intent: expect.stringMatching(/./),
        similarity: expect.any(Number),
      });
    }
    expect(await account.client.deleteByIntent(parameters)).toEqual(result);
    expect((await asks(tenantId, lessons.sql.task)).response).toContain(lessons.sql.command);
  });

  it('shows the line that the deletion draws, exact to 1e-6', async () => {
    const { tenantId } = await learnedCollection();
    const count = async (threshold: number) =>
      (
        await account.client.deleteByIntent({
          tenant_id: tenantId,
          intent: lessons.logs.asked,
          similarity_threshold: threshold,
          dry_run: true,
        })
      ).deleted_count;
    const { matches = [] } = await account.client.deleteByIntent({
      tenant_id: tenantId,
      intent: lessons.logs.asked,
      similarity_threshold: 0,
      dry_run: true,
    });

    for (const { similarity } of matches) {
      const atLeast = matches.filter((match) => match.similarity >= similarity).length;
      const equal = matches.filter((match) => Math.abs(match.similarity - similarity) < 1e-6).length;
      expect(await count(similarity)).toBe(atLeast);
      expect(await count(Math.min(1, similarity + 5e-6))).toBe(atLeast - equal);
    }
  });

  it('finds an insight by its own intent at threshold 1', async () => {
    const { tenantId } = await learnedCollection();
    const { matches = [] } = await account.client.deleteByIntent({
      tenant_id: tenantId,
      intent: lessons.sql.task,
      dry_run: true,
    });
    const nearest = matches.at(-1);

    const result = await account.client.deleteByIntent({
      tenant_id: tenantId,
      intent: nearest?.intent ?? '',
      similarity_threshold: 1,
    });

    expect(result.deleted_count).toBeGreaterThanOrEqual(1);
  });
});

describe('the parameters of delete_by_intent', () => {
  it('tenant_id and intent are required', async () => {
    const answer = await answerTo('');

    expect(answer.status).toBe(422);
    expect(answer.body.detail).toEqual([
      { loc: ['query', 'tenant_id'], msg: 'Field required', type: 'missing' },
      { loc: ['query', 'intent'], msg: 'Field required', type: 'missing' },
    ]);
  });

  it.each([
    'tenant_id=a&tenant_id=b&intent=x',
    'tenant_id=a&intent=x&intent=x',
    'tenant_id=a&intent=x&similarity_threshold=1&similarity_threshold=1',
    'tenant_id=a&intent=x&dry_run=true&dry_run=false',
  ])('are each given once: %s is a 422', async (query) => {
    const answer = await answerTo(query);

    expect(answer.status).toBe(422);
    expect(answer.body.detail[0]?.loc[0]).toBe('query');
  });

  it.each(['-0.1', '1.1', 'much', 'NaN', 'Infinity', '1e400', '0.5abc', 'true'])(
    'similarity_threshold is a number from 0 to 1: %s is a 422',
    async (threshold) => {
      const answer = await answerTo(`tenant_id=a&intent=x&similarity_threshold=${threshold}`);

      expect(answer.status).toBe(422);
      expect(answer.body.detail).toMatchObject([{ loc: ['query', 'similarity_threshold'] }]);
    },
  );

  it.each(['0', '1', '0.75', '1.0', '1e-1', '.5'])('similarity_threshold may be %s', async (threshold) => {
    expect((await answerTo(`tenant_id=a&intent=x&similarity_threshold=${threshold}`)).status).toBe(200);
  });

  it('similarity_threshold is 0.5 when it is absent, empty or null', async () => {
    const { tenantId } = await learnedCollection();
    const counts = [];
    for (const threshold of ['', '&similarity_threshold=0.5', '&similarity_threshold=', '&similarity_threshold=null']) {
      const query = `tenant_id=${tenantId}&dry_run=true&intent=${encodeURIComponent(lessons.logs.asked)}${threshold}`;
      const answer = await account.client.request<{ deleted_count: number }>('POST', `/delete_by_intent?${query}`);
      counts.push(answer.body.deleted_count);
    }

    expect(counts[0]).toBeGreaterThanOrEqual(1);
    expect(new Set(counts).size).toBe(1);
  });

  it('an empty intent or tenant_id is a 422', async () => {
    expect((await answerTo('tenant_id=&intent=x')).status).toBe(422);
    expect((await answerTo('tenant_id=a&intent=')).status).toBe(422);
  });

  it('needs no body, and does not read one', async () => {
    const answer = await account.client.request('POST', '/delete_by_intent?tenant_id=a&intent=x', {
      body: 'not json at all',
      headers: { 'content-type': 'text/plain' },
    });

    expect(answer.status).toBe(200);
  });
});
