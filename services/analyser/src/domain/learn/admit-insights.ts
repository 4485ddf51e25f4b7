import type { Insight, RunTrail } from '@whetstone/contracts';
import { clip, clipAtLine, deedName, exampleDeeds, oneLine, withWholeCharacters } from '@whetstone/reading';

import { type Guarded, guardInsights } from './guard-insights.js';
import { exampleChars } from './lessons.js';
import type { ModelReading } from './reflect.js';

const maxInsights = 3;
const maxSteps = 8;
const maxEvidence = 20;
const chars = { title: 160, condition: 300, content: 800, step: 240 };

/** An insight as a model tells it: what it says. What it does is read from its example. */
export type DraftedInsight = Omit<Insight, 'scope' | 'rule' | 'actions' | 'effects' | 'errorClass'>;

/** What a model read: the run, and others at the same task that ended the other way. */
export interface Read extends Pick<ModelReading, 'run' | 'turns' | 'visitedHosts'> {
  reflection: Pick<ModelReading['reflection'], 'deeds' | 'insights'>;
  others: readonly RunTrail[];
}

/**
 * What of a model's insights is kept, and in which form. A model may say anything: its insights pass the guard that those of
 * the reflector pass; texts are bounded; evidence that does not exist is none; an example that nobody did is made up, and so
 * is what rests on it; and how the run ended is known better than the model's word for it. What was read without a model rests
 * on what was done: it comes first, unless the model says more about the same.
 */
export function admitInsights(drafts: readonly DraftedInsight[], read: Read): Guarded {
  const bare = drafts.map((draft) => withWholeCharacters(bounded(draft, read.run, read.turns)));
  const done = bare.filter((insight) => wasDone(insight, read));
  const { insights, dropped } = guardInsights(done, read.visitedHosts);
  const [first, ...more] = read.reflection.insights.filter((own) => !insights.some((told) => doTheSame(told, own)));
  const all = insights.length === 0 ? [] : [...(first ? [first] : []), ...insights, ...more];
  const counts = { not_done: bare.length - done.length, too_many: insights.length - maxInsights };
  return {
    insights: all.slice(0, maxInsights),
    dropped: { ...dropped, ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)) },
  };
}

function doTheSame(a: Insight, b: Insight): boolean {
  return a.actions.length > 0 && a.actions.join('\n') === b.actions.join('\n');
}

function wasDone({ example, actions }: Insight, { run, others, reflection }: Read): boolean {
  if (example === undefined) return true;
  const deeds = new Set(reflection.deeds);
  if (actions.length > 0 && actions.every((form) => deeds.has(deedName(form)))) return true;
  const acts = [run, ...others].flatMap(({ steps }) => steps.map(({ action }) => action));
  return example.split('\n').every((line) => acts.some((act) => holds(act, oneLine(line))));
}

/** What a trail keeps of an action may be cut. */
function holds(act: string, line: string): boolean {
  return act.includes(line) || (act.endsWith('…') && line.startsWith(act.slice(0, -1)));
}

function bounded(draft: DraftedInsight, { outcome }: RunTrail, turns: ReadonlySet<number>): Insight {
  const { kind, title, appliesWhen, notWhen, content, steps, polarity, evidence, confidence } = draft;
  const example = draft.example?.trim().replace(/^`+|`+$/g, '');
  return {
    kind,
    title: clip(title.trim(), chars.title),
    ...optional('appliesWhen', appliesWhen, chars.condition),
    ...optional('notWhen', notWhen, chars.condition),
    content: clip(content.trim(), chars.content),
    steps: steps
      .map((step) => clip(step.trim(), chars.step))
      .filter((step) => step !== '')
      .slice(0, maxSteps),
    ...optional('example', example, exampleChars, clipAtLine),
    polarity: outcome === 'unknown' ? polarity : outcome,
    evidence: [...new Set(evidence)].filter((turn) => turns.has(turn)).slice(0, maxEvidence),
    confidence: Math.min(1, Math.max(0, confidence)),
    scope: kind === 'recovery' ? 'error' : 'task',
    rule: 'model',
    ...exampleDeeds(clipAtLine(example ?? '', exampleChars)),
  };
}

function optional<Name extends 'appliesWhen' | 'notWhen' | 'example'>(
  name: Name,
  text: string | undefined,
  max: number,
  cut = clip,
): Partial<Pick<Insight, Name>> {
  const said = text?.trim() ?? '';
  return said === '' ? {} : ({ [name]: cut(said, max) } as Partial<Pick<Insight, Name>>);
}
