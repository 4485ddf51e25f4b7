import { setTimeout as sleep } from 'node:timers/promises';

import { createAccounts, unique } from '../../support/accounts.js';
import type { Client } from '../../support/client.js';
import type { EnhancedResponse, Lesson } from '../../support/contract.js';
import type { LessonPage } from '../../support/curator.js';
import { createRandomness } from '../../support/randomness.js';
import { sweep } from '../../support/target.js';
import { lessons as learnable, lessonUpload } from '../../support/uploads.js';

const steps = 40;
const maxNotes = 3;
const subjects = [learnable.logs, learnable.archive, learnable.sql];
type Subject = (typeof subjects)[number];

/** What a lesson has to look like. */
interface Expected {
  subject: Subject;
  /** Absent: nobody has decided. */
  state?: string;
  /** What people wrote, about it or instead of it. */
  text?: string;
  byPerson: boolean;
  support: number;
  helped: number;
}

/** A collection of one account, as simply as it can be put. */
interface Room {
  tenantId: string;
  client: Client;
  review: boolean;
  /** By the command that was learnt or the text that was written. */
  lessons: Map<string, Expected>;
  /** Commands that stay silenced though their lessons are deleted, and how. */
  silenced: Map<string, string>;
}

const accounts = createAccounts();
const random = createRandomness();

interface Sent {
  method: string;
  path: string;
  body?: Record<string, unknown>;
}

/** What is sent instead. */
type Bug = (sent: Sent) => Partial<Sent>;

/** The checker is checked: each of these is between it and the product. */
const bugs: [string, Bug][] = [
  ['a decision is lost', ({ method, path }) => (isLesson(path) && method === 'PATCH' ? { method: 'GET' } : {})],
  ['a deletion is lost', ({ method, path }) => (isLesson(path) && method === 'DELETE' ? { method: 'GET' } : {})],
  ['review is not required', ({ path }) => (path.startsWith('/collections') ? { body: { review: 'none' } } : {})],
  [
    'a lesson is written elsewhere',
    ({ method, path, body }) =>
      method === 'POST' && path === '/lessons' ? { body: { ...body, tenant_id: 'elsewhere' } } : {},
  ],
  ['an outcome is reversed', ({ path, body }) => (path === '/feedback' ? { body: { ...body, success: false } } : {})],
];

describe('random decisions of several accounts', () => {
  it('change what they are about, and nothing else', async () => {
    const rooms = await openRooms();
    for (let step = 0; step < steps; step++) {
      const room = random.pick(rooms);
      await random.pick(Object.values(operations))(room);
      expect({ seed: random.seed, step, differences: await differencesIn(room) }).toMatchObject({ differences: [] });
    }
    for (const room of rooms) expect(await differencesIn(room)).toEqual([]);
  });

  it.each(sweep(bugs))('are noticed if %s', async (_, bug) => {
    const [room] = (await openRooms(bug)) as [Room];
    let differences: string[] = [];
    for (let step = 0; step < 5 * steps && differences.length === 0; step++) {
      await random.pick(Object.values(operations))(room);
      differences = await differencesIn(room);
    }
    expect(differences).not.toEqual([]);
  });
});

/** Two accounts with a collection of the same name, and one with another. */
async function openRooms(bug: Bug = () => ({})): Promise<Room[]> {
  const [one, other] = await Promise.all([accounts.open(), accounts.open()]);
  const [shared, own] = [unique('shared'), unique('own')];
  for (const { client } of [one, other]) {
    const { request } = client;
    client.request = <Body>(method: string, path: string, options: { body?: unknown } = {}) => {
      const sent = { method, path, ...options, ...bug({ method, path, ...options } as Sent) };
      return request<Body>(sent.method, sent.path, sent.method === 'GET' ? {} : sent);
    };
  }
  return [
    { tenantId: shared, client: one.client },
    { tenantId: own, client: one.client },
    { tenantId: shared, client: other.client },
  ].map((room) => ({ ...room, review: false, lessons: new Map(), silenced: new Map() }));
}

function isLesson(path: string): boolean {
  return path.startsWith('/lessons/');
}

/** Each takes what it needs from the model, acts, and tells the model. */
const operations = {
  async learn(room: Room): Promise<void> {
    const subject = random.pick(subjects);
    const { command } = subject;
    const upload = { ...lessonUpload(room.tenantId, subject), metadata: { run: unique('run') } };
    await room.client.learn(upload);
    const known = room.lessons.get(command);
    const state = room.silenced.get(command);
    room.lessons.set(command, {
      ...(known ?? { subject, byPerson: false, helped: 0, ...(state && { state }) }),
      support: (known?.support ?? 0) + 1,
    });
  },

  async write(room: Room): Promise<void> {
    const subject = random.pick(subjects);
    const notes = [...room.lessons.values()].filter((lesson) => lesson.byPerson && lesson.subject === subject);
    // More of them, all pinned, leave no room for the command.
    if (notes.length === maxNotes) return;
    const text = `Ask ${unique('owner')} first.`;
    await send(room, 'POST', '/lessons', { tenant_id: room.tenantId, applies_when: subject.task, text });
    room.lessons.set(text, { subject, text, byPerson: true, support: 0, helped: 0 });
  },

  async review(room: Room): Promise<void> {
    await someLesson(room);
    room.review = !room.review;
    const review = room.review ? 'required' : 'none';
    await send(room, 'PATCH', `/collections?tenant_id=${room.tenantId}`, { review });
  },

  async decide(room: Room): Promise<void> {
    const [key, lesson] = await someLesson(room);
    const others = ['active', 'muted', 'pinned', ...(room.review ? ['approved', 'rejected'] : [])];
    const state = random.pick(others.filter((other) => other !== lesson.state));
    await send(room, 'PATCH', `/lessons/${lesson.id}?tenant_id=${room.tenantId}`, { state });
    const { state: _, ...expected } = room.lessons.get(key) as Expected;
    room.lessons.set(key, state === 'active' ? expected : { ...expected, state });
    room.silenced.delete(key);
  },

  async edit(room: Room): Promise<void> {
    const [key, lesson] = await someLesson(room);
    const expected = room.lessons.get(key) as Expected;
    if (expected.byPerson) return;
    const text = `Mind ${unique('trap')}.`;
    await send(room, 'PATCH', `/lessons/${lesson.id}?tenant_id=${room.tenantId}`, { text });
    expected.text = text;
  },

  async helped(room: Room): Promise<void> {
    const [known] = await someLesson(room);
    const { subject } = room.lessons.get(known) as Expected;
    const { recommendations, enhancement_id } = (await ask(room, subject)).metadata;
    const told = new Set(recommendations.map(({ id }) => id));
    if (told.size === 0) return;
    await send(room, 'POST', '/feedback', { tenant_id: room.tenantId, enhancement_id, success: true });
    for (const [key, { id }] of await listed(room)) {
      const expected = room.lessons.get(key);
      if (expected && told.has(id)) expected.helped++;
    }
  },

  async remove(room: Room): Promise<void> {
    const [key, lesson] = await someLesson(room);
    await send(room, 'DELETE', `/lessons/${lesson.id}?tenant_id=${room.tenantId}`);
    forget(room, [key]);
    await untilLaterUploadsCount();
  },

  async removeByIntent(room: Room): Promise<void> {
    const { task } = random.pick(subjects);
    await room.client.deleteByIntent({ tenant_id: room.tenantId, intent: task, similarity_threshold: 0.95 });
    forget(
      room,
      [...room.lessons].filter(([, { subject }]) => subject.task === task).map(([key]) => key),
    );
    await untilLaterUploadsCount();
  },

  async erase(room: Room): Promise<void> {
    await room.client.erase(room.tenantId);
    room.lessons.clear();
    room.silenced.clear();
    room.review = false;
    await untilLaterUploadsCount();
  },
} satisfies Record<string, (room: Room) => Promise<void>>;

/** Uploads that cross a deletion within a second may fall either way. */
function untilLaterUploadsCount(): Promise<void> {
  return sleep(1_100);
}

function forget(room: Room, keys: readonly string[]): void {
  for (const key of keys) {
    const { state = '' } = room.lessons.get(key) ?? {};
    if (state === 'muted' || state === 'rejected') room.silenced.set(key, state);
    room.lessons.delete(key);
  }
}

async function send({ client }: Room, method: string, path: string, body?: unknown): Promise<void> {
  const { status, text } = await client.request(method, path, body === undefined ? {} : { body });
  if (status >= 300) throw new Error(`${method} ${path} is ${status}: ${text}`);
}

function ask({ tenantId, client }: Room, { task }: Subject): Promise<EnhancedResponse> {
  return client.enhance({ tenant_id: tenantId, input_text: task, agent_type: 'shell' });
}

/** By what tells them apart. */
async function listed({ tenantId, client }: Room): Promise<[key: string, Lesson][]> {
  const { lessons } = (await client.request<LessonPage>('GET', `/lessons?tenant_id=${tenantId}&limit=200`)).body;
  const keyOf = ({ origin, text, example }: Lesson) => (origin === 'person' ? text : (example ?? text));
  return lessons.map((lesson) => [keyOf(lesson), lesson]);
}

/** Learns one if there is none: a step that does nothing finds nothing. */
async function someLesson(room: Room): Promise<[string, Lesson]> {
  if (room.lessons.size === 0) await operations.learn(room);
  return random.pick((await listed(room)).filter(([key]) => room.lessons.has(key)));
}

function stateOf({ state, byPerson }: Expected, { review }: Room): string {
  return state ?? (review && !byPerson ? 'pending' : 'active');
}

/** Between the model and what the product lists and tells, in words. */
async function differencesIn(room: Room): Promise<string[]> {
  const there = new Map(await listed(room));
  const keys = new Set([...there.keys(), ...room.lessons.keys()]);
  const differences = [...keys].flatMap((key) => {
    const [lesson, expected] = [there.get(key), room.lessons.get(key)];
    if (!lesson || !expected) return [`${key} is ${lesson ? 'there' : 'missing'}`];
    const { state, support, helped, harmed, text } = lesson;
    const seen = { state, support, helped, harmed, ...(expected.text === undefined ? {} : { text }) };
    const wanted = { state: stateOf(expected, room), support: expected.support, helped: expected.helped, harmed: 0 };
    const both = [seen, expected.text === undefined ? wanted : { ...wanted, text: expected.text }];
    const [is, shall] = both.map((one) => JSON.stringify(one));
    return is === shall ? [] : [`${key} is ${is}, not ${shall}`];
  });
  for (const subject of subjects) {
    const { response } = await ask(room, subject);
    const advice = response.slice(subject.task.length);
    const expected = room.lessons.get(subject.command);
    const shall = expected !== undefined && ['active', 'approved', 'pinned'].includes(stateOf(expected, room));
    const is = advice.includes(subject.command);
    if (is !== shall) differences.push(`${subject.command} is ${is ? '' : 'not '}told`);
  }
  return differences;
}
