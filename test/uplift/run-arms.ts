import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { unique } from '../support/accounts.js';
import type { Client } from '../support/client.js';
import type { showProgress } from '../support/progress.js';
import { type Advisor, createRetrieval, createWhetstone, noAdvisor } from './advisors.js';
import { type Arm, halvesOf, type PlanOptions, planRuns, type Result } from './arms.js';
import { actOut, attemptTask } from './attempt-task.js';
import { appendLine, type Chat, readLines } from './model.js';
import type { Task, World } from './world.js';

export interface Experiment extends PlanOptions {
  worlds: readonly World[];
  arms: readonly Arm[];
  /** Holds one file per arm and the state needed to resume. */
  out: string;
  /** Name of the chat model. */
  model: string;
  chat: Chat;
  show: typeof showProgress;
  /** Connects to Whetstone; called for the first advice. */
  whetstone(): Promise<Client>;
}

type Settings = Pick<Experiment, 'seed' | 'limit' | 'model'>;

interface Begun {
  /** Prefix of collection names, so that no two experiments share one. */
  prefix: string;
  /** Common to all its runs. */
  settings: Settings;
  /** Collections that are filled. */
  filled: string[];
}

/** Does the remaining runs one by one, and saves each as it ends. */
export async function runArms(experiment: Experiment): Promise<Result[]> {
  const { out, seed, limit, model } = experiment;
  const stateFile = join(out, 'experiment.json');
  const begun: Begun = existsSync(stateFile)
    ? (JSON.parse(readFileSync(stateFile, 'utf8')) as Begun)
    : { prefix: unique('uplift'), settings: { seed, limit, model }, filled: [] };
  for (const [name, value] of Object.entries({ seed, limit, model })) {
    const before = begun.settings[name as keyof Settings];
    if (before !== value) throw new Error(`${out} was begun with --${name} ${before}: for another, give another --out`);
  }
  const save = () => writeFileSync(stateFile, `${JSON.stringify(begun)}\n`);
  save();

  const results: Result[] = [];
  for (const arm of experiment.arms) {
    const file = join(out, `${arm.name}.jsonl`);
    const kept = new Map(readLines<Result>(file).map((result) => [keyOf(result), result]));
    for (const world of experiment.worlds) {
      const plan = planRuns(world.tasks, arm, experiment);
      const advisorFor = createAdvisors(
        arm,
        world,
        plan.map(({ task }) => task),
        results,
      );
      const progress = experiment.show(plan.length, `${arm.name} ${world.name}`);
      for (const { task, round } of plan) {
        const before = kept.get(keyOf({ world: world.name, task: task.id, round }));
        const result = before ?? (await runTask(arm, world, task, round, await advisorFor(task)));
        if (before === undefined) appendLine(file, result);
        else if (arm.by === 'retrieval' && arm.knowledge === 'curve')
          await (await advisorFor(task)).learn(world, task.text, before);
        results.push(result);
        progress.step();
      }
      progress.end();
    }
  }
  return results;

  async function runTask(arm: Arm, world: World, task: Task, round: number, advisor: Advisor): Promise<Result> {
    const advice = await advisor.advise(world, task.text);
    // On a curve a failure is retried once with its result in view, as an agent would.
    const run = await attemptTask(world, task, advice.prompt, experiment.chat, arm.knowledge === 'curve' ? 2 : 1);
    if (arm.knowledge === 'curve') await advisor.learn(world, task.text, run, advice);
    const { prompt, confidence } = advice;
    const said = confidence === undefined ? {} : { confidence };
    return { arm: arm.name, world: world.name, task: task.id, round, prompt, ...said, ...run };
  }

  /** The advisor for a task in this arm. Collections are filled on first use. */
  function createAdvisors(arm: Arm, world: World, tasks: readonly Task[], done: readonly Result[]) {
    const halves = halvesOf(tasks, seed);
    const made = new Map<string, Promise<Advisor>>();
    return (task: Task): Promise<Advisor> => {
      const knowledge = arm.knowledge === 'new' ? `half${1 - (halves.get(task.id) as number)}` : (arm.knowledge ?? '');
      const known = made.get(knowledge) ?? make(knowledge);
      made.set(knowledge, known);
      return known;
    };

    async function make(knowledge: string): Promise<Advisor> {
      if (arm.by === 'without') return noAdvisor;
      const collection = `${begun.prefix}-${knowledge}`;
      const advisor = arm.by === 'with' ? createWhetstone(await experiment.whetstone(), collection) : createRetrieval();
      const id = `${collection}-${world.name}`;
      if (arm.knowledge === 'curve' || (arm.by === 'with' && begun.filled.includes(id))) return advisor;
      for (const task of tasks) {
        if (arm.knowledge === 'new' && `half${halves.get(task.id)}` !== knowledge) continue;
        const own = done.find((one) => one.arm === 'without' && one.world === world.name && one.task === task.id);
        if (own) await advisor.learn(world, task.text, own);
        await advisor.learn(world, task.text, await actOut(world, task));
      }
      if (arm.by === 'with') begun.filled.push(id);
      save();
      return advisor;
    }
  }
}

function keyOf({ world, task, round }: Pick<Result, 'world' | 'task' | 'round'>): string {
  return `${world} ${task} ${round}`;
}
