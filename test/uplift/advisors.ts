import { createBm25 } from '../eval/contenders/baselines.js';
import type { Client } from '../support/client.js';
import type { TaskRun } from './attempt-task.js';
import type { World } from './world.js';

export interface Advice {
  /** The task with its advice. */
  prompt: string;
  /** The id for the next run to cite. */
  enhancementId?: string;
  confidence?: number;
}

/** Advises an agent before a task, from the runs it has been given. */
export interface Advisor {
  advise(world: World, task: string): Promise<Advice>;
  learn(world: World, task: string, run: TaskRun, advice?: Advice): Promise<void>;
}

/** Whetstone through its API. */
export function createWhetstone(client: Client, collection: string): Advisor {
  const tenantOf = (world: World) => `${collection}-${world.name}`;
  return {
    async advise(world, task) {
      const { response, metadata } = await client.enhance({
        tenant_id: tenantOf(world),
        input_text: task,
        agent_type: world.name,
      });
      return { prompt: response, enhancementId: metadata.enhancement_id, confidence: metadata.confidence_score };
    },
    async learn(world, task, { turns, solvedInTheEnd }, advice) {
      const job = await client.learn({
        tenant_id: tenantOf(world),
        query: task,
        agent_type: world.name,
        success: solvedInTheEnd,
        turns: turns.map(({ action, result }, index) => ({
          turn: index + 1,
          inputs: turns[index - 1]?.result ?? advice?.prompt ?? task,
          decision: action,
          result,
        })),
        ...(advice?.enhancementId === undefined ? {} : { metadata: { enhancement_id: advice.enhancementId } }),
      });
      if (job.status === 'failed') throw new Error(`A run was not learnt: ${job.error_message}`);
    },
  };
}

/** The same length limit as Whetstone. */
const budget = 2_000;
const mostRuns = 3;

/** Plain retrieval: successful runs of the tasks with the most similar words, verbatim. */
export function createRetrieval(): Advisor {
  const successes = new Map<string, Map<string, string>>();
  return {
    async advise(world, task) {
      const known = [...(successes.get(world.name) ?? [])];
      const scores = createBm25(known.map(([text]) => text))(task);
      const nearest = [...known.keys()]
        .filter((index) => (scores[index] as number) > 0)
        .sort((one, other) => (scores[other] as number) - (scores[one] as number))
        .slice(0, mostRuns);
      let shown = '';
      for (const index of nearest) {
        const [text, actions] = known[index] as [string, string];
        const example = `\nTask: ${text}\n${actions}\n`;
        if (shown.length + example.length <= budget) shown += example;
      }
      return {
        prompt: shown === '' ? task : `${task}\n\n--- Past runs that succeeded ---${shown}--- End of past runs ---`,
      };
    },
    async learn(world, task, { turns, solvedInTheEnd }) {
      if (!solvedInTheEnd) return;
      const ofWorld = successes.get(world.name) ?? new Map<string, string>();
      // After several tries, the command that worked.
      const actions = world.mostReplies === 1 ? turns.slice(-1) : turns;
      ofWorld.set(task, actions.map(({ action }) => action).join('\n'));
      successes.set(world.name, ofWorld);
    },
  };
}

export const noAdvisor: Advisor = {
  advise: async (_, task) => ({ prompt: task }),
  async learn() {},
};
