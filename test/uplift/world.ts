/** A task with its solution. */
export interface Task {
  id: string;
  /** Tasks of one family differ in values and wording; a single task is its own family. */
  family: string;
  text: string;
  /** Actions that solve it, in order. */
  solution: readonly string[];
}

export interface Step {
  action: string;
  result: string;
}

export interface Outcome {
  /** Actions with their results; a reply may hold several. */
  steps: readonly Step[];
  /** No further action is possible. */
  ended: boolean;
  solved: boolean;
}

/** One attempt at a task, in its own world. */
export interface Attempt {
  act(action: string): Promise<Outcome>;
  end(): Promise<void>;
}

/** A small environment that checks whether a task is solved. */
export interface World {
  name: string;
  /** The system prompt. */
  system: string;
  tasks: readonly Task[];
  /** Maximum replies per attempt; one if the answer is a single command. */
  mostReplies: number;
  /** The action in a reply of the model. */
  readAction(reply: string): string;
  begin(task: Task): Promise<Attempt>;
}

/** The code in a reply: a fenced block, else text in backticks, else all of it. */
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
