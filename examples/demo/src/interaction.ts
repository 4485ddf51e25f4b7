/** What `POST /store_knowledge` takes, without the collection. */
export interface DemoInteraction {
  query: string;
  agent_type: string;
  success: boolean;
  turns: { turn: number; inputs: string; decision: string; result: string }[];
}

/** One run of an agent: the task, how it ended, and each decision with what came back. */
export function run(
  agentType: string,
  query: string,
  outcome: 'succeeded' | 'failed',
  ...steps: [decision: string, result: string][]
): DemoInteraction {
  return {
    query,
    agent_type: agentType,
    success: outcome === 'succeeded',
    turns: steps.map(([decision, result], index) => ({
      turn: index + 1,
      inputs: index === 0 ? query : (steps[index - 1]?.[1] ?? ''),
      decision,
      result,
    })),
  };
}
