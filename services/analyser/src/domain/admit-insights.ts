import type { Insight, Interaction, RunTrail } from '@whetstone/contracts';

import { clip } from './reflector/bounded-text.js';
import { triesToOverride } from './reflector/instruction-guard.js';

export interface Admitted {
  insights: Insight[];
  /** Counted by why they were not kept. */
  dropped: Record<string, number>;
}

const maxInsights = 3;
const maxSteps = 8;
const maxEvidence = 20;
const chars = { title: 160, condition: 300, content: 800, step: 240, example: 600 };
const address = /\bhttps?:\/\/([\w.-]{1,253})/gi;
/** Of one insight: a lesson that lists more is a list. */
const maxHosts = 5;

/**
 * What of a model's insights is kept, and in which form. A model may say anything: what tells its reader to drop the reader's
 * own instructions, or names a host that the run never saw, is dropped and counted; texts are bounded; evidence that does not
 * exist is none; and how the run ended is known better than the model's word for it.
 */
export function admitInsights(drafts: readonly Insight[], interaction: Interaction, run: RunTrail): Admitted {
  const turns = new Set(interaction.turns.map(({ turn }) => turn));
  const hasSeen = createHasSeen(interaction);
  const insights: Insight[] = [];
  const dropped: Record<string, number> = {};
  for (const draft of drafts) {
    const insight = bounded(draft, run, turns);
    const reason = insights.length >= maxInsights ? 'too_many' : reasonAgainst(insight, hasSeen);
    if (reason === undefined) insights.push(insight);
    else dropped[reason] = (dropped[reason] ?? 0) + 1;
  }
  return { insights, dropped };
}

function reasonAgainst(insight: Insight, hasSeen: (host: string) => boolean): string | undefined {
  if (triesToOverride(insight)) return 'overrides_instructions';
  const hosts = hostsIn(insight);
  return hosts.length > maxHosts || !hosts.every(hasSeen) ? 'unseen_host' : undefined;
}

function hostsIn(insight: Insight): string[] {
  const hosts = [...JSON.stringify(insight).matchAll(address)].map(([, host = '']) => host.toLowerCase());
  return [...new Set(hosts)];
}

/** Most insights name no host: the run is only gone through where one does, and made ready for it once. */
function createHasSeen({ query, turns }: Interaction): (host: string) => boolean {
  let texts: string[] | undefined;
  return (host) => {
    texts ??= [query, ...turns.flatMap(({ inputs, decision, result = '' }) => [inputs, decision, result])].map((text) =>
      text.toLowerCase(),
    );
    return texts.some((text) => text.includes(host));
  };
}

function bounded(draft: Insight, { outcome }: RunTrail, turns: ReadonlySet<number>): Insight {
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
    ...optional('example', example, chars.example),
    polarity: outcome === 'unknown' ? polarity : outcome,
    evidence: [...new Set(evidence)].filter((turn) => turns.has(turn)).slice(0, maxEvidence),
    confidence: Math.min(1, Math.max(0, confidence)),
  };
}

function optional<Name extends 'appliesWhen' | 'notWhen' | 'example'>(
  name: Name,
  text: string | undefined,
  max: number,
): Partial<Pick<Insight, Name>> {
  const said = text?.trim() ?? '';
  return said === '' ? {} : ({ [name]: clip(said, max) } as Partial<Pick<Insight, Name>>);
}
