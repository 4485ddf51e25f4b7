import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createRetrieval } from './advisors.js';
import { readArguments } from './arguments.js';
import { arms, halvesOf, planRuns } from './arms.js';
import { actOut, attemptTask } from './attempt-task.js';
import { createChat, type Message } from './model.js';
import { type Experiment, runArms } from './run-arms.js';
import type { Task, World } from './world.js';
import { deskWorld } from './worlds/desk.js';

const [task, sibling] = deskWorld.tasks as readonly Task[] as [Task, Task];

/** Does what its prompt says last; otherwise nothing useful. */
const copying = async (messages: readonly Message[]) => {
  const shown = messages.at(-1)?.content.match(/^\{.*\}$/gm);
  return shown?.slice(0, 3).join('\n') ?? '{"tool": "close"}';
};

describe('an experiment', () => {
  let out: string;
  beforeEach(() => {
    out = mkdtempSync(join(tmpdir(), 'whetstone-uplift-'));
  });
  afterEach(() => rmSync(out, { recursive: true, force: true }));

  const named = (...names: string[]) => arms.filter(({ name }) => names.includes(name));
  const experiment = (change: Partial<Experiment> = {}): Experiment => ({
    worlds: [deskWorld],
    arms: named('without', 'retrieval-seen', 'retrieval-new', 'retrieval-curve'),
    out,
    model: 'copying',
    chat: copying,
    show: () => ({ step: () => {}, end: () => {} }),
    whetstone: () => Promise.reject(new Error('not needed')),
    seed: 1,
    limit: 6,
    rounds: 2,
    ...change,
  });

  it('lets an agent that copies solve what it is shown, and nothing without', async () => {
    const results = await runArms(experiment());
    const solved = (arm: string) => results.filter((one) => one.arm === arm && one.solved).length;
    expect([solved('without'), solved('retrieval-seen'), solved('retrieval-new'), solved('retrieval-curve')]).toEqual([
      0, 6, 0, 0,
    ]);
    expect(results.filter(({ arm }) => arm === 'retrieval-curve')).toHaveLength(12);
  });

  it('goes on where it ended, also after a line that was cut off, and not with another seed', async () => {
    let asked = 0;
    const chat: Experiment['chat'] = (messages) => {
      if (++asked === 4) throw new Error('killed');
      return copying(messages);
    };
    const without = { arms: named('without'), chat };
    await expect(runArms(experiment(without))).rejects.toThrow('killed');
    appendFileSync(join(out, 'without.jsonl'), '{"arm": "with');
    expect(await runArms(experiment(without))).toHaveLength(6);
    expect(asked).toBe(7);
    expect(readFileSync(join(out, 'without.jsonl'), 'utf8').trim().split('\n')).toHaveLength(6);
    await expect(runArms(experiment({ seed: 2 }))).rejects.toThrow('begun with --seed 1');
  });

  it('keeps every prompt and reply, and asks the same only once', async () => {
    const file = join(out, 'replies.jsonl');
    const messages: Message[] = [{ role: 'user', content: 'hello' }];
    appendFileSync(file, `${JSON.stringify({ model: 'm', messages, reply: 'hi', ms: 1 })}\n`);
    const away = () => Promise.reject(new Error('away'));
    expect(await createChat('m', file, away)(messages)).toBe('hi');
    await expect(createChat('another', file, away)(messages)).rejects.toThrow('away');
  });
});

describe('the agent', () => {
  const world: World = {
    name: 'two',
    system: '',
    tasks: [],
    mostReplies: 1,
    readAction: (reply) => reply,
    begin: async () => ({
      act: async (action) => ({ steps: [{ action, result: 'no' }], ended: false, solved: action === 'second' }),
      end: async () => {},
    }),
  };
  const replies = () => {
    const list = ['first', 'second'];
    return async () => list.shift() as string;
  };

  it('counts the first command only, and tries once more where that teaches', async () => {
    expect(await attemptTask(world, task, '', replies(), 1)).toMatchObject({ solved: false, solvedInTheEnd: false });
    const run = await attemptTask(world, task, '', replies(), 2);
    expect(run).toMatchObject({ solved: false, solvedInTheEnd: true });
    expect(run.turns.map(({ action }) => action)).toEqual(['first', 'second']);
  });
});

describe('plain retrieval', () => {
  it('shows the nearest success as it was, and nothing of failures', async () => {
    const retrieval = createRetrieval();
    expect(await retrieval.advise(deskWorld, task.text)).toEqual({ prompt: task.text });
    await retrieval.learn(deskWorld, sibling.text, { turns: [], solved: false, solvedInTheEnd: false });
    expect(await retrieval.advise(deskWorld, task.text)).toEqual({ prompt: task.text });
    await retrieval.learn(deskWorld, sibling.text, await actOut(deskWorld, sibling));
    const { prompt } = await retrieval.advise(deskWorld, task.text);
    expect(prompt.startsWith(`${task.text}\n`)).toBe(true);
    for (const call of sibling.solution) expect(prompt).toContain(call);
  });
});

describe('the plan', () => {
  it('divides families in halves and goes through a curve in rounds of different order', () => {
    const halves = halvesOf(deskWorld.tasks, 1);
    const ofFamily = deskWorld.tasks.filter(({ family }) => family === task.family).map(({ id }) => halves.get(id));
    expect(new Set(ofFamily).size).toBe(2);
    const [curve] = arms.filter(({ knowledge }) => knowledge === 'curve') as [(typeof arms)[number]];
    const plan = planRuns(deskWorld.tasks, curve, { seed: 1, limit: 10, rounds: 2 }).map((run) => run.task.id);
    expect(plan).toHaveLength(20);
    expect([...plan.slice(0, 10)].sort()).toEqual([...plan.slice(10)].sort());
    expect(plan.slice(0, 10)).not.toEqual(plan.slice(10));
  });

  it('is read from the command line', () => {
    expect(readArguments(['--help'])).toBe(undefined);
    expect(readArguments(['--arms', 'with-new', '--worlds', 'desk'])?.arms.map(({ name }) => name)).toEqual([
      'without',
      'with-new',
    ]);
    expect(() => readArguments(['--worlds', 'moon'])).toThrow('--worlds takes sql, shell, desk, not moon');
    expect(() => readArguments(['--url', 'http://x'])).toThrow('belong together');
  });
});
