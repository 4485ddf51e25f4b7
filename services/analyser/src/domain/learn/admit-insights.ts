import type { Insight, RunTrail } from '@whetstone/contracts';
import { clip, clipAtLine, exampleDeeds, withWholeCharacters } from '@whetstone/reading';

import { exampleChars } from './lessons.js';
import { type Guarded, guardInsights } from './safety/guard-insights.js';
import type { ModelReading } from './transcript/read-for-model.js';

const maxInsights = 3;
const maxSteps = 8;
const maxEvidence = 20;
const chars = { title: 160, condition: 300, content: 800, step: 240 };

/** An insight as a model tells it: what it says. What it does is read from its example. */
export type DraftedInsight = Omit<Insight, 'scope' | 'rule' | 'actions' | 'effects' | 'errorClass'>;

/**
 * What of a model's insights is kept, and in which form. A model may say anything: its insights pass the guard that those of
 * the reflector pass; texts are bounded; evidence that does not exist is none; and how the run ended is known better than the
 * model's word for it.
 */
export function admitInsights(
  drafts: readonly DraftedInsight[],
  { run, turns, visitedHosts }: Pick<ModelReading, 'run' | 'turns' | 'visitedHosts'>,
): Guarded {
  const { insights, dropped } = guardInsights(
    drafts.map((draft) => withWholeCharacters(bounded(draft, run, turns))),
    visitedHosts,
  );
  const tooMany = insights.length - maxInsights;
  return {
    insights: insights.slice(0, maxInsights),
    dropped: { ...dropped, ...(tooMany > 0 ? { too_many: tooMany } : {}) },
  };
}

function bounded(draft: DraftedInsight, { outcome }: RunTrail, turns: ReadonlySet<number>): Insight {
  const { kind, title, appliesWhen, notWhen, content, steps, example, polarity, evidence, confidence } = draft;
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
    ...exampleDeeds(clipAtLine(example?.trim() ?? '', exampleChars)),
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
