import type { Insight, Interaction, RunTrail } from '@whetstone/contracts';

import { givenAnswer } from './actions/given-answer.js';
import { clip, oneLine } from './bounded-text.js';
import { generaliseTask, namesIn } from './generalise.js';
import { judgeRun } from './judge-run.js';
import { peopleIn } from './named-people.js';
import { deedsOf, readSteps, type Step } from './read-steps.js';
import { askedFor } from './talk/asked-for.js';
import { isInformative, taskIntent } from './task-intent.js';

/** A run as it was read: what every lesson is made from. */
export interface RunReading {
  intent: string;
  /** The kind of task, for "when": without the names and amounts of the one. */
  taskKind: string;
  /** What the user came to ask for later on, in general words, where the task does not say it. */
  turnsInto?: string;
  steps: readonly Step[];
  /** Steps without thoughts and without saying that it is done. */
  deeds: readonly Step[];
  /** The step that handed in an answer at the end. */
  answer?: Step;
  outcome: RunTrail['outcome'];
  judged: boolean;
  /** People, places and codes that the run's own data names, and people that its talk names. */
  names: ReadonlySet<string>;
}

const taskKindChars = 160;
/** Of a task and of what it turns into: both on one line. */
const turningChars = 68;
const nameSources = 60;
const queryChars = 4_000;

export function readRun(interaction: Interaction): RunReading {
  const steps = readSteps(interaction);
  const intent = taskIntent(interaction);
  const names = namesOf(interaction.query, steps);
  const answer = givenAnswer(steps);
  const deeds = deedsOf(steps);
  const verdict = judgeRun(interaction.success, steps);
  const later = verdict.outcome === 'success' ? askedFor(intent, deeds) : undefined;
  return {
    intent,
    taskKind: generaliseTask(intent, later === undefined ? taskKindChars : turningChars, names),
    steps,
    deeds,
    names,
    ...(later === undefined ? {} : { turnsInto: generaliseTask(later, turningChars, names) }),
    ...(answer ? { answer } : {}),
    ...verdict,
  };
}

/** Whether there is a task, and anything done about it or answered to it. */
export function isTeachable({ deeds, answer, intent }: RunReading): boolean {
  return (deeds.length > 0 || answer !== undefined) && isInformative(intent);
}

function namesOf(query: string, steps: readonly Step[]): Set<string> {
  const names = peopleIn(query.slice(0, queryChars));
  for (const { action, outcome } of steps.slice(0, nameSources)) {
    if (action.kind !== 'tool' && action.kind !== 'reply') continue;
    const find = action.kind === 'tool' ? namesIn : peopleIn;
    for (const name of find(`${action.text}\n${outcome.text}`)) names.add(name);
  }
  return names;
}

const likeWords = 'tasks like “';

/** "Tasks like …", as the line that says when a lesson applies. */
export function tasksLike({ taskKind, turnsInto }: RunReading): { appliesWhen?: string } {
  const [task, later] = [taskKind, turnsInto].map((text) => text?.replace(/[.!?]$/, ''));
  if (task === undefined || task === '') return {};
  return { appliesWhen: `${likeWords}${task}”${later === undefined ? '' : ` that turn into “${later}”`}` };
}

/** Whether a lesson is about tasks like the one of its run, and not about an error or a habit that any task can meet. */
export function isAboutItsTask({ appliesWhen }: Pick<Insight, 'appliesWhen'>): boolean {
  return appliesWhen?.startsWith(likeWords) === true;
}

/** A quotation inside a lesson. */
export function quote(text: string, max = 140): string {
  return `“${clip(oneLine(text.slice(0, 4 * max)), max)}”`;
}
