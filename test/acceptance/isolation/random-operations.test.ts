import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Account, createAccounts } from '../../support/accounts.js';
import type { LessonDetails } from '../../support/contract.js';
import type { LessonPage } from '../../support/curator.js';
import { createRandomness } from '../../support/randomness.js';
import { shellSuccess } from '../../support/uploads.js';
import { createModel, type Model, type Room, type Seen } from './model.js';

const operations = 160;
const accountsAtOnce = 3;
/** Near to everything that is uploaded here, so that no cosine is negative and threshold 0 takes all. */
const everything = 'Work with files on the command line of a Unix shell';
const tasks = [
  'List all files on the command line that changed today',
  'Count the lines of all text files in the shell',
  'Find files with a given word on the command line',
  'Copy a folder with all its files in a Unix shell',
  'Sort the lines of a file on the command line',
  'Show the size of every file in a folder with a shell command',
];

const accounts = createAccounts();
const random = createRandomness();

interface World {
  owners: Map<string, Account>;
  rooms: Room[];
  model: Model;
  /** When something was last deleted in a room. */
  deletedAt: Map<Room, number>;
  /** The enhancement_id of every answer, and the room that it is about. */
  answers: { token: string; about: Room }[];
  /** The id of every lesson that was listed, and its room. */
  lessons: Map<string, Room>;
}

/** Accounts whose collections have the same names, and each its default collection besides. */
async function openWorld(): Promise<World> {
  const owners = await Promise.all(Array.from({ length: accountsAtOnce }, () => accounts.open()));
  const rooms = owners.flatMap(({ account, key }) =>
    ['webarena', 'checkout-bot', key].map((tenantId) => ({
      account,
      tenantId,
      canary: `zq${randomBytes(5).toString('hex')}`,
    })),
  );
  return {
    owners: new Map(owners.map((owner) => [owner.account, owner])),
    rooms,
    model: createModel(rooms),
    deletedAt: new Map(),
    answers: [],
    lessons: new Map(),
  };
}

describe('random operations of several accounts', () => {
  it('no answer, count or id ever mentions the data of another account or collection', async () => {
    const world = await openWorld();
    const violations: string[] = [];
    const telling = new Set<Room>();
    const watch = async (step: number | string, operate: Operation, room: Room) => {
      const seen = await operate(world, room);
      if (seen.some(({ text }) => text.includes(room.canary))) telling.add(room);
      violations.push(
        ...seen.flatMap((one) => world.model.violations(room, one)).map((what) => `step ${step}: ${what}`),
      );
    };
    for (let step = 0; step < operations; step++) {
      const operate = random.pick([
        upload,
        upload,
        upload,
        ask,
        ask,
        probe,
        count,
        remove,
        erase,
        followJob,
        strangersJob,
        browse,
        browseRuns,
        strangersRun,
        listCollections,
        strangersLesson,
        feedback,
      ]);
      await watch(step, operate, random.pick(world.rooms));
    }
    for (const room of world.rooms) await watch('last', upload, room);
    for (const room of world.rooms) await watch('last', count, room);
    for (const owner of world.owners.values()) violations.push(...(await strangersIn(owner)));

    expect({ seed: random.seed, violations }).toEqual({ seed: random.seed, violations: [] });
    // Silence would pass all of the above.
    expect(telling).toEqual(new Set(world.rooms));
  });
});

/** Whose keys and collections an account's audit trail and usage name, other than its own. */
async function strangersIn({ account, keyId }: Account): Promise<string[]> {
  const admin = await accounts.open(account, ' --scope admin');
  const { body: trail } = await admin.client.request<{ entries: Record<string, string | null>[] }>(
    'GET',
    '/audit?limit=200',
  );
  const { body: usage } = await admin.client.request<{ days: { keys: { key_id: string }[] }[] }>('GET', '/usage');
  const named = [
    ...trail.entries.map(({ key_id: id }) => id ?? keyId),
    ...usage.days.flatMap(({ keys }) => keys.map(({ key_id: id }) => id)),
  ];
  const tenants = trail.entries.map(({ tenant_id: tenantId }) => tenantId ?? 'webarena');
  return [
    ...named.filter((id) => id !== keyId && id !== admin.keyId).map((id) => `${account} was told of the key ${id}`),
    ...tenants
      .filter((tenantId) => !['webarena', 'checkout-bot'].includes(tenantId))
      .map((tenantId) => `${account} was told of the collection ${tenantId}`),
    ...(trail.entries.length === 0 ? [`${account} has no audit trail`] : []),
  ];
}

type Operation = (world: World, room: Room) => Promise<Seen[]>;

const clientOf = ({ owners }: World, { account }: Room) => (owners.get(account) as Account).client;

const upload: Operation = async (world, room) => {
  // Requests that cross a deletion within a second may fall either way.
  await sleep(Math.max(0, (world.deletedAt.get(room) ?? -1100) + 1100 - performance.now()));
  const task = random.pick(tasks);
  const body = shellSuccess(
    room.tenantId,
    `${task}, for ${room.canary}`,
    `run-${room.canary} --number ${random.below(1000)}`,
  );
  // Of its own answers or of somebody else's: neither is a document, and only its own say anything here.
  const cited = world.answers.length === 0 ? {} : { enhancement_id: random.pick(world.answers).token };
  const { job_id, tenant_id } = await clientOf(world, room).store({
    ...body,
    metadata: { note: room.canary, ...cited },
  });
  world.model.uploaded(room, job_id);
  return [{ text: tenant_id === room.tenantId ? '' : tenant_id }];
};

const ask: Operation = (world, room) => enhance(world, room, random.pick(tasks));

/** Asks with the words of somebody else's uploads, and for the names of their rooms. */
const probe: Operation = async (world, room) => {
  const victim = random.pick(world.rooms);
  const forbidden = await clientOf(world, room).request('POST', '/enhance_task', {
    body: { tenant_id: victim.tenantId, input_text: `${tasks[0]}, for ${victim.canary}` },
  });
  const answer = await enhance(world, room, `${random.pick(tasks)}, for ${victim.canary}`);
  // What a question names may stand in its answer, in the place of what a like task named. Whose runs tell it is seen by their jobs.
  const ownAnswer = answer.map((seen) => ({
    ...seen,
    text: seen.text.replaceAll(victim.canary, 'what was asked for'),
  }));
  if (victim.account === room.account || !victim.tenantId.startsWith('wst_')) return ownAnswer;
  expect(forbidden.status).toBe(403);
  return [...ownAnswer, { text: forbidden.text }];
};

async function enhance(world: World, room: Room, input: string): Promise<Seen[]> {
  const { response, metadata } = await clientOf(world, room).enhance({ tenant_id: room.tenantId, input_text: input });
  expect(response.startsWith(input)).toBe(true);
  const { recommendations, enhancement_id } = metadata;
  world.answers.push({ token: enhancement_id, about: room });
  return [
    {
      text: response.slice(input.length) + JSON.stringify(recommendations),
      jobIds: recommendations.flatMap(({ source_job_ids }) => source_job_ids),
    },
  ];
}

const count: Operation = async (world, room) => {
  await settle(world, room);
  const { deleted_count, matches = [] } = await clientOf(world, room).deleteByIntent({
    tenant_id: room.tenantId,
    intent: everything,
    similarity_threshold: 0,
    dry_run: true,
  });
  return [
    { text: JSON.stringify(matches), rowIds: matches.map(({ id }) => id), count: deleted_count, countIsAll: true },
  ];
};

const remove: Operation = async (world, room) => {
  await settle(world, room);
  const { deleted_count } = await clientOf(world, room).deleteByIntent({
    tenant_id: room.tenantId,
    intent: random.pick(tasks),
    similarity_threshold: random.pick([0, 0.5, 0.7]),
  });
  world.deletedAt.set(room, performance.now());
  return [{ text: '', count: deleted_count, deleted: true }];
};

/** Takes all, whatever is like it or not, and counts it. */
const erase: Operation = async (world, room) => {
  await settle(world, room);
  const { deleted_count } = await clientOf(world, room).erase(room.tenantId);
  return [{ text: '', count: deleted_count, countIsAll: true, deleted: true }];
};

const followJob: Operation = async (world, room) => {
  const [jobId] = world.model.openJobs(room);
  if (jobId === undefined) return [];
  return [{ text: JSON.stringify(await clientOf(world, room).job(jobId)), jobIds: [jobId] }];
};

const strangersJob: Operation = async (world, room) => {
  const stranger = random.pick(world.rooms.filter(({ account }) => account !== room.account));
  const jobs = world.model.jobsOf(stranger);
  if (jobs.length === 0) return [];
  const answer = await clientOf(world, room).request('GET', `/knowledge_status/${random.pick(jobs)}`);
  expect(answer.status).toBe(404);
  return [{ text: answer.text }];
};

/** Looks at all lessons of a room, and at the evidence of one. */
const browse: Operation = async (world, room) => {
  const client = clientOf(world, room);
  const query = `tenant_id=${encodeURIComponent(room.tenantId)}`;
  const { body: page, text } = await client.request<LessonPage>('GET', `/lessons?${query}&limit=200`);
  for (const { id } of page.lessons) world.lessons.set(id, room);
  if (page.lessons.length === 0) return [{ text }];
  const answer = await client.request<LessonDetails>('GET', `/lessons/${random.pick(page.lessons).id}?${query}`);
  // It may have been deleted meanwhile, by a job that was processed late.
  const { evidence = [], against = [] } = answer.body;
  return [{ text: text + answer.text, jobIds: [...evidence, ...against].map(({ job_id }) => job_id) }];
};

/** Looks at all runs of a room, and at one of them. */
const browseRuns: Operation = async (world, room) => {
  const client = clientOf(world, room);
  const query = `tenant_id=${encodeURIComponent(room.tenantId)}`;
  const { body, text } = await client.request<{ runs: { job_id: string }[] }>('GET', `/runs?${query}&limit=200`);
  const jobIds = body.runs.map(({ job_id }) => job_id);
  if (jobIds.length === 0) return [{ text }];
  const answer = await client.request('GET', `/runs/${random.pick(jobIds)}?${query}`);
  expect(answer.status).toBe(200);
  return [{ text: text + answer.text, jobIds }];
};

/** Of another account, or of another collection of its own. */
const strangersRun: Operation = async (world, room) => {
  const jobs = world.rooms.filter((other) => other !== room).flatMap((other) => world.model.jobsOf(other));
  if (jobs.length === 0) return [];
  const jobId = random.pick(jobs);
  // One that nobody has started is not known to belong elsewhere.
  const owner = world.rooms.find((other) => world.model.jobsOf(other).includes(jobId)) as Room;
  await clientOf(world, owner).jobEnded(jobId);
  const path = `/runs/${jobId}?tenant_id=${encodeURIComponent(room.tenantId)}`;
  const answer = await clientOf(world, room).request('GET', path);
  expect(answer.status).toBe(404);
  return [{ text: answer.text }];
};

/** Names only what the account has written to, and no key. */
const listCollections: Operation = async (world, room) => {
  const { body, text } = await clientOf(world, room).request<{ collections: { tenant_id: string | null }[] }>(
    'GET',
    '/collections',
  );
  const own = world.rooms.filter(({ account }) => account === room.account).map(({ tenantId }) => tenantId);
  for (const { tenant_id } of body.collections) if (tenant_id !== null) expect(own).toContain(tenant_id);
  expect(text).not.toContain('wst_');
  return [{ text }];
};

const strangersLesson: Operation = async (world, room) => {
  const strange = [...world.lessons].filter(([, owner]) => owner !== room).map(([id]) => id);
  if (strange.length === 0) return [];
  const path = `/lessons/${random.pick(strange)}?tenant_id=${encodeURIComponent(room.tenantId)}`;
  const method = random.pick(['GET', 'PATCH', 'DELETE']);
  const answer = await clientOf(world, room).request(method, path, method === 'PATCH' ? { body: { note: 'x' } } : {});
  expect([method, answer.status]).toEqual([method, 404]);
  return [{ text: answer.text }];
};

/** About its own answers or somebody else's: only its own are known here. */
const feedback: Operation = async (world, room) => {
  if (world.answers.length === 0) return [];
  const { token, about } = random.pick(world.answers);
  const body = { tenant_id: room.tenantId, enhancement_id: token, success: true };
  const answer = await clientOf(world, room).request('POST', '/feedback', { body });
  expect(answer.status).toBe(about === room ? 200 : 404);
  return [{ text: answer.text }];
};

/** Waits for the jobs of a room, so that its count is certain. */
async function settle(world: World, room: Room): Promise<void> {
  for (const jobId of world.model.openJobs(room)) world.model.ended(await clientOf(world, room).jobEnded(jobId));
}
