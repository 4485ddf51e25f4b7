import type { Chat, Message } from './model.js';
import type { Step, Task, World } from './world.js';

export interface RunTurn extends Step {
  /** At the start of a reply. */
  reply?: string;
}

export interface TaskRun {
  turns: RunTurn[];
  /** Solved by the first command, or by the first attempt if an attempt has several replies. */
  solved: boolean;
  /** Solved by any try. */
  solvedInTheEnd: boolean;
}

const again = 'That did not solve the task. Answer with one other command, and nothing else.';

/**
 * The agent: asks the model for an action, does it, shows the result, until the task is solved or the replies are used up.
 *
 * @param prompt the task, with or without advice
 * @param tries how many commands where one is an attempt; what comes behind the first only teaches
 */
export async function attemptTask(
  world: World,
  task: Task,
  prompt: string,
  chat: Chat,
  tries: number,
): Promise<TaskRun> {
  const messages: Message[] = [
    { role: 'system', content: world.system },
    { role: 'user', content: prompt },
  ];
  const turns: RunTurn[] = [];
  const isOneShot = world.mostReplies === 1;
  const attempt = await world.begin(task);
  try {
    for (let step = 1; step <= (isOneShot ? tries : world.mostReplies); step++) {
      const reply = await chat(messages);
      const action = world.readAction(reply);
      const { steps, ended, solved } = await attempt.act(action);
      turns.push(...steps.map((step, index) => (index === 0 ? { reply, ...step } : step)));
      if (solved) return { turns, solved: !isOneShot || step === 1, solvedInTheEnd: true };
      if (ended) break;
      const result = steps.map((step) => step.result).join('\n');
      messages.push({ role: 'assistant', content: reply });
      messages.push({ role: 'user', content: isOneShot ? `Output:\n${result}\n${again}` : result });
    }
    return { turns, solved: false, solvedInTheEnd: false };
  } finally {
    await attempt.end();
  }
}

/** An expert's run. */
export async function actOut(world: World, task: Task): Promise<TaskRun> {
  const actions = [...task.solution];
  return attemptTask(world, task, task.text, async () => actions.shift() ?? '', 1);
}
