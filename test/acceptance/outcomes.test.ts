import { type Account, createAccounts, unique } from '../support/accounts.js';
import type { JobRecord } from '../support/contract.js';
import { inParallel } from '../support/eventually.js';
import { shellSuccess } from '../support/uploads.js';

const accounts = createAccounts();
const task = 'List all .tmp files below /srv/cache that are older than seven days';
const ways = {
  find: "find /srv/cache -name '*.tmp' -mtime +7",
  fd: 'fd --extension tmp --older 7d . /srv/cache',
};
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

const ask = (tenantId: string, client = account.client) => client.enhance({ tenant_id: tenantId, input_text: task });

async function tokens(tenantId: string, count: number, client = account.client): Promise<string[]> {
  const answers = await inParallel(Array.from({ length: count }), 8, () => ask(tenantId, client));
  return answers.map(({ metadata }) => metadata.enhancement_id);
}

/** The outcome of a run that teaches nothing itself, and cites an answer. */
async function tell(tenantId: string, token: string, success?: boolean) {
  return account.client.learn({
    tenant_id: tenantId,
    query: `Tell the outcome of ${unique('run')}`,
    turns: [],
    metadata: { enhancement_id: token },
    ...(success === undefined ? {} : { success }),
  });
}

async function tellAll(tenantId: string, cited: readonly string[], success?: boolean): Promise<JobRecord[]> {
  return inParallel(cited, 8, (token) => tell(tenantId, token, success));
}

async function learned(name: string, command = ways.find): Promise<string> {
  const tenantId = unique(name);
  await account.client.learn(shellSuccess(tenantId, task, command));
  return tenantId;
}

async function told(tenantId: string): Promise<string[]> {
  const { metadata } = await ask(tenantId);
  return metadata.recommendations.map(({ text }) => (text.includes(ways.find) ? 'find' : 'fd'));
}

describe('an upload that cites an enhancement_id', () => {
  it('moves the rank of what was shown, up or down as it went', async () => {
    const tenantId = await learned('rank');
    const ofFindAlone = await tokens(tenantId, 4);
    await account.client.learn(shellSuccess(tenantId, task, ways.fd));
    const [first, ...others] = await told(tenantId);
    expect(others).toEqual([]);

    await tellAll(tenantId, ofFindAlone, first !== 'find');

    expect(await told(tenantId)).toEqual([first === 'find' ? 'fd' : 'find']);
  });

  it('silences what harms again and again: the task comes back unchanged', async () => {
    const tenantId = await learned('harm');
    const cited = await tokens(tenantId, 6);

    await tellAll(tenantId, cited.slice(0, 2), false);
    expect(await told(tenantId)).toEqual(['find']);
    await tellAll(tenantId, cited.slice(2), false);

    const { response, metadata } = await ask(tenantId);
    expect(response).toBe(task);
    expect(metadata.recommendations).toEqual([]);
    expect(metadata).not.toHaveProperty('holdout');
  });

  it('votes once for one enhancement_id, however often it is cited', async () => {
    const tenantId = await learned('once');
    const [token] = await tokens(tenantId, 1);

    await tellAll(tenantId, Array(10).fill(token), false);

    expect(await told(tenantId)).toEqual(['find']);
  });

  it('has an id of its own for each answer, however many are given at once', async () => {
    const tenantId = await learned('own');
    const answers = await inParallel(Array.from({ length: 400 }), 16, () => ask(tenantId));

    expect(new Set(answers.map(({ metadata }) => metadata.enhancement_id)).size).toBe(400);
  });

  it('votes for nothing where the id was forged, altered, or issued for another collection or account', async () => {
    const [tenantId, elsewhere] = [await learned('forged'), await learned('elsewhere')];
    const stranger = await accounts.open();
    await stranger.client.learn(shellSuccess(tenantId, task, ways.find));
    const [own] = (await tokens(tenantId, 1)) as [string];
    const altered = ['A', 'B', 'C'].map((letter) => `${own.slice(0, 60)}${letter}${own.slice(61)}`);
    const forged = [
      ...(await tokens(elsewhere, 8)),
      ...(await tokens(tenantId, 8, stranger.client)),
      ...altered.filter((token) => token !== own),
      `${own}=`,
      'enh_AAAA',
    ];

    const jobs = await tellAll(tenantId, forged, false);

    expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect(await told(tenantId)).toEqual(['find']);
  });

  it('votes for nothing where it does not say how it went', async () => {
    const tenantId = await learned('untold');

    await tellAll(tenantId, await tokens(tenantId, 8));

    expect(await told(tenantId)).toEqual(['find']);
  });

  it('of one account never matters in another, though both name the collection alike', async () => {
    const tenantId = await learned('alike');
    const stranger = await accounts.open();
    await stranger.client.learn(shellSuccess(tenantId, task, ways.find));

    await tellAll(tenantId, await tokens(tenantId, 8), false);

    expect(await told(tenantId)).toEqual([]);
    expect((await ask(tenantId, stranger.client)).metadata.recommendations).toHaveLength(1);
  });

  it('is no document: votes are neither counted nor deleted as such', async () => {
    const tenantId = await learned('counted');
    const cited = await tokens(tenantId, 2);
    const all = { tenant_id: tenantId, intent: task, similarity_threshold: 0.8 };
    const { deleted_count: insights } = await account.client.deleteByIntent({ ...all, dry_run: true });

    expect(await tell(tenantId, cited[0] as string, true)).toMatchObject({
      outcome: 'nothing_to_learn',
      insights_stored: 0,
    });

    expect(await account.client.deleteByIntent({ ...all, dry_run: true })).toMatchObject({ deleted_count: insights });
    expect(await account.client.deleteByIntent(all)).toMatchObject({ deleted_count: insights });
    expect(await tell(tenantId, cited[1] as string, true)).toMatchObject({ status: 'completed' });
    expect(await account.client.deleteByIntent({ ...all, similarity_threshold: 0, dry_run: true })).toMatchObject({
      deleted_count: 0,
    });
  });
});
