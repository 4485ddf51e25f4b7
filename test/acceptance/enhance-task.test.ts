import { type Account, createAccounts, unique } from '../support/accounts.js';
import { firstDelimiter, lastDelimiter, type ValidationErrorBody } from '../support/contract.js';
import { inParallel } from '../support/eventually.js';
import { lessons, lessonUpload, shellFailure, shellSuccess } from '../support/uploads.js';

const accounts = createAccounts();
let account: Account;
/** A collection that knows all lessons; nothing in this file changes it. */
const learned = unique('learned');

beforeAll(async () => {
  account = await accounts.open();
  await inParallel(Object.values(lessons), 4, (lesson) => account.client.learn(lessonUpload(learned, lesson)));
});

async function problemsOf(body: unknown) {
  const answer = await account.client.request<ValidationErrorBody>('POST', '/enhance_task', { body });
  expect(answer.status).toBe(422);
  return answer.body.detail;
}

describe('AgentInput', () => {
  it('needs tenant_id and input_text', async () => {
    expect(await problemsOf({})).toEqual([
      { loc: ['body', 'tenant_id'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'input_text'], msg: 'Field required', type: 'missing' },
    ]);
  });

  it.each(['', ' ', '\n\t\r\n ', '\u00a0\u2003'])(
    'input_text %j has no character that is not white space',
    async (text) => {
      expect(await problemsOf({ tenant_id: 'x', input_text: text })).toMatchObject([{ loc: ['body', 'input_text'] }]);
    },
  );

  it('context is an object of strings', async () => {
    const problems = await problemsOf({ tenant_id: 'x', input_text: 'x', context: { a: 1, b: 'fine', c: null } });

    expect(problems.map(({ loc }) => loc)).toEqual([
      ['body', 'context', 'a'],
      ['body', 'context', 'c'],
    ]);
    expect(await problemsOf({ tenant_id: 'x', input_text: 'x', context: 'text' })).toMatchObject([
      { loc: ['body', 'context'], type: 'dict_type' },
    ]);
  });

  it.each([
    { context: null },
    { agent_type: null },
    { context: {} },
    { agent_type: 'web', something: { unknown: [1] } },
  ])('with %j is accepted: null counts as absent, unknown fields are ignored', async (extra) => {
    const answer = await account.client.enhance({ tenant_id: unique('x'), input_text: 'Do something', ...extra });

    expect(answer.response).toBe('Do something');
  });

  it('input_text and context together have at most 256 KiB', async () => {
    const half = 128 * 1024;
    const input = (extra: number) => ({
      tenant_id: unique('x'),
      input_text: 'x'.repeat(half),
      context: { k: 'y'.repeat(half - 1 + extra) },
    });

    expect((await account.client.enhance(input(0))).response).toBe('x'.repeat(half));
    expect((await problemsOf(input(1))).length).toBeGreaterThan(0);
    expect((await problemsOf({ tenant_id: 'x', input_text: 'é'.repeat(half + 1) })).length).toBeGreaterThan(0);
  });
});

describe('EnhancedResponse', () => {
  it.each(Object.keys(lessons) as (keyof typeof lessons)[])(
    'hands back what worked when the task is worded differently: %s',
    async (name) => {
      const { asked, command } = lessons[name];

      const { response, metadata } = await account.client.enhance({ tenant_id: learned, input_text: asked });

      expect(response).toContain(command);
      expect(metadata.recommendations.length).toBeGreaterThan(0);
    },
  );

  it('keeps the input whole and first, byte for byte, then the recommendations between two fixed delimiter lines', async () => {
    const input = `  ${lessons.logs.task}\r\n\tquickly – 素早く 🪨 "quotes" \\n \u0000 end  \n\n`;

    const { response } = await account.client.enhance({ tenant_id: learned, input_text: input });

    expect(response.startsWith(input)).toBe(true);
    const lines = response.slice(input.length).split('\n');
    const first = lines.indexOf(firstDelimiter);
    expect(first).toBeGreaterThanOrEqual(0);
    expect(lines.slice(0, first).join('').trim()).toBe('');
    expect(lines.filter((line) => line !== '').at(-1)).toBe(lastDelimiter);
    expect(lines[first + 1]).toMatch(/^1\. /);
  });

  it('with nothing relevant to say is the input, unchanged', async () => {
    const unrelated = [
      'Book a table for two at an Italian restaurant on Friday evening',
      'Translate this poem by Rilke into English and keep the metre',
      '  What is the capital of Mongolia?\r\n',
    ];
    for (const input of unrelated) {
      const { response, metadata } = await account.client.enhance({ tenant_id: learned, input_text: input });

      expect(response).toBe(input);
      expect(metadata.recommendations).toEqual([]);
    }
  });

  it('of a collection that nobody has written to is the input, unchanged', async () => {
    const { response, metadata } = await account.client.enhance({
      tenant_id: unique('never-written'),
      input_text: lessons.logs.task,
    });

    expect(response).toBe(lessons.logs.task);
    expect(metadata.recommendations).toEqual([]);
  });

  it('has metadata with confidence_score, agent_type as sent, enhancement_id and recommendations', async () => {
    const { metadata } = await account.client.enhance({
      tenant_id: learned,
      input_text: lessons.archive.asked,
      agent_type: 'My Shell-Agent/2',
    });

    expect(metadata.agent_type).toBe('My Shell-Agent/2');
    expect(metadata.confidence_score).toBeGreaterThan(0);
    expect(metadata.confidence_score).toBeLessThanOrEqual(1);
    expect(metadata.enhancement_id).toMatch(/^\S+$/);
    expect(metadata.recommendations.length).toBeGreaterThan(0);
  });

  it('has recommendations that stand in the response as their text says', async () => {
    const { response, metadata } = await account.client.enhance({
      tenant_id: learned,
      input_text: lessons.sql.asked,
    });

    for (const recommendation of metadata.recommendations) {
      expect(recommendation).toMatchObject({
        id: expect.stringMatching(/./),
        kind: expect.stringMatching(/^(strategy|pitfall|recovery)$/),
        title: expect.stringMatching(/./),
        similarity: expect.any(Number),
        support: expect.any(Number),
        source_job_ids: expect.arrayContaining([expect.stringMatching(/^job_/)]),
      });
      expect(withoutIndent(response)).toContain(withoutIndent(recommendation.text));
    }
  });

  it('shows what read the same things for a task that is put quite differently, under its own words', async () => {
    const tenantId = unique('reworded');
    const task = 'Tell me which of the *.cfg files in /srv/conf mention "retries"';
    const command = 'grep -l retries /srv/conf/*.cfg';
    await account.client.learn(shellSuccess(tenantId, task, command));
    const asked = 'Search /srv/conf for "retries" in all *.cfg files and print their names';

    const { response } = await account.client.enhance({ tenant_id: tenantId, input_text: asked, agent_type: 'shell' });

    expect(response).toContain(`Task: ${task}\n   Example: ${command}`);
  });

  it('has another enhancement_id each time, also with nothing to say', async () => {
    const ask = (tenantId: string) => account.client.enhance({ tenant_id: tenantId, input_text: lessons.sql.asked });
    const answers = [await ask(learned), await ask(learned), await ask(unique('never-written'))];

    expect(new Set(answers.map(({ metadata }) => metadata.enhancement_id)).size).toBe(3);
  });

  it('learns from failure too: what broke comes back as a warning', async () => {
    const tenantId = unique('failures');
    const task = 'Rename all JPEG files in the folder to lower case';
    await account.client.learn(
      shellFailure(tenantId, task, [
        { turn: 1, inputs: task, decision: 'rename y/A-Z/a-z/ *.JPG', result: 'bash: rename: command not found' },
        { turn: 2, inputs: 'bash: rename: command not found', decision: 'give up', result: null },
      ]),
    );

    const { response, metadata } = await account.client.enhance({
      tenant_id: tenantId,
      input_text: task,
    });

    expect(metadata.recommendations.map(({ kind }) => kind)).toContain('pitfall');
    expect(response).toContain('rename');
  });
});

describe('support', () => {
  const task = 'Print the ten largest directories below /home sorted by size';
  const command = 'du -h --max-depth=1 /home | sort -hr | head -n 10';

  async function supportAfter(uploads: ReturnType<typeof shellSuccess>[]) {
    const tenantId = uploads[0]?.tenant_id as string;
    const jobs = await inParallel(uploads, 4, (upload) => account.client.learn(upload));
    const { metadata } = await account.client.enhance({ tenant_id: tenantId, input_text: task });
    const first = metadata.recommendations[0];
    expect(first?.text).toContain(command);
    const ownJobs = new Set(jobs.map(({ job_id }) => job_id));
    expect(first?.source_job_ids.every((id) => ownJobs.has(id))).toBe(true);
    return first?.support;
  }

  it('counts the distinct runs that agree', async () => {
    const tenantId = unique('support');

    const support = await supportAfter([
      shellSuccess(tenantId, task, command, 'first run'),
      shellSuccess(tenantId, task, command, 'second run'),
      shellSuccess(tenantId, task, command, 'third run'),
    ]);

    expect(support).toBe(3);
  });

  it('counts equal bodies once', async () => {
    const upload = shellSuccess(unique('support'), task, command, 'the very same run');

    expect(await supportAfter([upload, upload, upload])).toBe(1);
  });

  it('counts all runs that made one mistake of form, whatever their tasks, and says it once', async () => {
    const tenantId = unique('form');
    const tasks = ['Show the routes', 'Mount a disk', 'Print the calendar', 'Rotate a key', 'Stop the mail queue'];
    const rejected = 'bash: syntax error near unexpected token `newline`';
    await inParallel(tasks, 4, async (other) => {
      const turns = ['sh --first', `sh --then '${other}'`].map((line, turn) => ({
        turn,
        inputs: other,
        decision: `\`\`\`\n${line}\n\`\`\``,
        result: rejected,
      }));
      await account.client.learn(shellFailure(tenantId, other, turns));
    });
    await account.client.learn(shellSuccess(tenantId, task, command));

    const question = { tenant_id: tenantId, input_text: task, agent_type: 'shell' };
    const { metadata } = await account.client.enhance(question);

    const ofForm = metadata.recommendations.filter(({ text }) => text.includes('bare action'));
    expect(ofForm).toMatchObject([{ support: tasks.length }]);
    expect(metadata.recommendations).toHaveLength(2);
  });
});

/** Recommendations are indented in the response. */
function withoutIndent(text: string): string {
  return text.replace(/\s+/g, ' ');
}
