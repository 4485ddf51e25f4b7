import type { Insight, RunTrail } from '@whetstone/contracts';
import { actionHash, clip, clipAtLine, exampleActions, oneLine, withoutLoneSurrogates } from '@whetstone/reading';

import { type Guarded, guardInsights } from './guard-insights.js';
import { exampleChars } from './lessons.js';
import type { ModelReading } from './reflect.js';

const maxInsights = 3;
const maxSteps = 8;
const maxEvidence = 20;
const chars = { title: 160, condition: 300, content: 800, step: 240 };

/** An insight as a model writes it. Its actions and effects are parsed from its example. */
export type DraftedInsight = Omit<Insight, 'scope' | 'rule' | 'actions' | 'effects' | 'errorClass'>;

/** What the model was shown: the run, and runs at the same task with the opposite outcome. */
export interface Shown extends Pick<ModelReading, 'run' | 'turns' | 'visitedHosts'> {
  reflection: Pick<ModelReading['reflection'], 'deeds' | 'insights'>;
  others: readonly RunTrail[];
}

/**
 * Decides which of a model's insights to keep. They pass the same guard as the reflector's; texts are clipped; evidence
 * must name existing turns; an insight whose example occurs in no run is made up and dropped; a known outcome of the
 * run overrides the model's. The reflector's own insight comes first, unless the model explains the same actions.
 */
export function admitInsights(drafts: readonly DraftedInsight[], shown: Shown): Guarded {
  const made = drafts.map((draft) => withoutLoneSurrogates(toInsight(draft, shown.run, shown.turns)));
  const observed = made.filter((insight) => wasObserved(insight, shown));
  const { insights, dropped } = guardInsights(observed, shown.visitedHosts);
  const [first, ...more] = shown.reflection.insights.filter(
    (own) => !insights.some((other) => haveSameActions(other, own)),
  );
  const all = insights.length === 0 ? [] : [...(first ? [first] : []), ...insights, ...more];
  const counts = { not_done: made.length - observed.length, too_many: insights.length - maxInsights };
  return {
    insights: all.slice(0, maxInsights),
    dropped: { ...dropped, ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)) },
  };
}

function haveSameActions(a: Insight, b: Insight): boolean {
  return a.actions.length > 0 && a.actions.join('\n') === b.actions.join('\n');
}

function wasObserved({ example, actions }: Insight, { run, others, reflection }: Shown): boolean {
  if (example === undefined) return true;
  const deeds = new Set(reflection.deeds);
  if (actions.length > 0 && actions.every((form) => deeds.has(actionHash(form)))) return true;
  const actionTexts = [run, ...others].flatMap(({ steps }) => steps.map(({ action }) => action));
  return example.split('\n').every((line) => actionTexts.some((action) => contains(action, oneLine(line))));
}

/** A trail may have clipped the action. */
function contains(action: string, line: string): boolean {
  return action.includes(line) || (action.endsWith('…') && line.startsWith(action.slice(0, -1)));
}

function toInsight(draft: DraftedInsight, { outcome }: RunTrail, turns: ReadonlySet<number>): Insight {
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
    ...exampleActions(clipAtLine(example ?? '', exampleChars)),
  };
}

function optional<Name extends 'appliesWhen' | 'notWhen' | 'example'>(
  name: Name,
  text: string | undefined,
  max: number,
  cut = clip,
): Partial<Pick<Insight, Name>> {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? {} : ({ [name]: cut(trimmed, max) } as Partial<Pick<Insight, Name>>);
}
