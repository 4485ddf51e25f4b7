/** A task of our own writing, with a way that solves it. */
export interface Task {
  id: string;
  /** Tasks of one family differ in their values and wording; a task on its own has a family of its own. */
  family: string;
  text: string;
  /** Actions that solve it, in turn. */
  solution: readonly string[];
}

export interface Step {
  action: string;
  result: string;
}

export interface Outcome {
  /** What was done and what came of it; several where one reply may ask for several. */
  steps: readonly Step[];
  /** Nothing more can be done here. */
  ended: boolean;
  solved: boolean;
}

/** One attempt at a task, in a world of its own. */
export interface Attempt {
  act(action: string): Promise<Outcome>;
  end(): Promise<void>;
}

/** A small place to work in, which tells by itself whether a task is done. */
export interface World {
  name: string;
  /** What the agent is told before any task. */
  system: string;
  tasks: readonly Task[];
  /** The most replies of one attempt: one where an answer is a single command. */
  mostReplies: number;
  /** The action in what the model replied. */
  readAction(reply: string): string;
  begin(task: Task): Promise<Attempt>;
}

/** The code in a reply: a fenced block, else what stands in back-ticks, else all of it. */
export function codeIn(reply: string): string {
  const [, fenced] = /```(?:\w*\n)?([\s\S]*?)(?:\n?```|$)/.exec(reply) ?? [];
  if (fenced?.trim()) return fenced.trim();
  const bare = reply.trim();
  return /^`[^`]+`$/.test(bare) ? bare.slice(1, -1).trim() : bare;
}

/**
 * One family of tasks that differ in their values: `'web, ERROR; mail, WARN'` makes two of two values each. Wordings are taken in turn;
 * `{0}` in them is the first value.
 */
export function family<Made extends Omit<Task, 'id' | 'family' | 'text'>>(
  name: string,
  instances: string,
  wordings: readonly string[],
  make: (first: string, second: string, third: string, fourth: string) => Made,
): (Made & Task)[] {
  return instances.split('; ').map((instance, index) => {
    const values = instance.split(', ');
    const wording = wordings[index % wordings.length] as string;
    const [first = '', second = '', third = '', fourth = ''] = values;
    return {
      ...make(first, second, third, fourth),
      id: `${name}-${index + 1}`,
      family: name,
      text: wording.replace(/\{(\d)\}/g, (_, at) => values[Number(at)] as string),
    };
  });
}
