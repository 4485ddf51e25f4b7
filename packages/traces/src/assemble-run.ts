import type { Interaction, Turn } from '@whetstone/contracts';
import { callText, parsed } from './messages.js';
import { maxTextChars, type RunSpan, shortened } from './read-span.js';

const maxTurns = 1000;
/** Of all turns together. */
const maxTurnsChars = 2 * 1024 * 1024;

/**
 * Makes one run of the spans of a trace, in whatever order and however often they came. `undefined` if they say neither
 * what was to be done nor what was done.
 */
export function assembleRun(spans: readonly RunSpan[]): Interaction | undefined {
  const known = [...new Map(spans.map((span) => [span.id, span])).values()].sort(byStart);
  const byId = new Map(known.map((span) => [span.id, span]));
  const top = known.find(({ kind, task }) => kind === 'agent' && task !== undefined) ?? known.find(isAgent);
  const query = top?.task ?? known.find(({ task }) => task !== undefined)?.task;
  const turns = turnsOf(known, byId);
  if (query === undefined || turns.length === 0) return undefined;
  const success = outcomeOf(known);
  const enhancementId = known.find((span) => span.enhancementId !== undefined)?.enhancementId;
  return {
    query,
    turns: stepsToTurns(turns),
    ...(success !== undefined && { success }),
    ...(top?.name !== undefined && { agentType: top.name }),
    ...(known[0] && known[0].start > 0 && { timestamp: known[0].start }),
    ...(enhancementId !== undefined && { metadata: { enhancement_id: enhancementId } }),
  };
}

/** Numbered, as many and as long as a run may have. */
export function stepsToTurns(all: readonly Step[]): Turn[] {
  const steps = all.slice(0, maxTurns);
  const chars = Math.min(maxTextChars, Math.floor(maxTurnsChars / (3 * steps.length)));
  return steps.map(({ inputs, decision, result }, at) => ({
    turn: at + 1,
    inputs: shortened(inputs, chars),
    decision: shortened(decision, chars),
    ...(result !== undefined && { result: shortened(result, chars) }),
  }));
}

function byStart(a: RunSpan, b: RunSpan): number {
  return a.start - b.start || a.end - b.end || (a.id < b.id ? -1 : 1);
}

function isAgent({ kind }: RunSpan): boolean {
  return kind === 'agent';
}

export type Step = Omit<Turn, 'turn'>;

function turnsOf(spans: readonly RunSpan[], byId: ReadonlyMap<string, RunSpan>): Step[] {
  const tools = spans.filter(({ kind }) => kind === 'tool');
  const outer = new Set<RunSpan>();
  for (const tool of tools) {
    // Whatever is above one that is known is known, too.
    for (let above = byId.get(tool.parent ?? ''); above && !outer.has(above); above = byId.get(above.parent ?? '')) {
      outer.add(above);
    }
  }
  // A tool that lets another agent work is told by what that one did.
  const leaves = tools.filter((tool) => !outer.has(tool));
  return leaves.length > 0 ? leaves.map(toolStep) : talkSteps(spans.filter(({ kind }) => kind === 'model'));
}

function toolStep({ name = 'tool', input, output, error }: RunSpan): Step {
  const result = error === undefined ? output : `Error: ${error}`;
  return {
    inputs: '',
    decision: callText(name, parsed(input)),
    ...(result !== undefined && { result }),
  };
}

/** Calls that no span shows come with the answers of the model, their results with its next input. */
function talkSteps(models: readonly RunSpan[]): Step[] {
  return models.flatMap(({ input = '', isResult, output, error }, at) => {
    if (output === undefined && error === undefined) return [];
    const next = models[at + 1];
    const result = error === undefined ? next?.isResult && next.input : `Error: ${error}`;
    return {
      inputs: isResult ? '' : input,
      decision: output ?? '',
      ...(typeof result === 'string' && { result }),
    };
  });
}

/** What was judged; otherwise an error of the whole. A run without an error need not have succeeded. */
function outcomeOf(spans: readonly RunSpan[]): boolean | undefined {
  const verdicts = spans.flatMap(({ success }) => success ?? []);
  if (verdicts.length > 0) return verdicts.every((verdict) => verdict);
  const top = spans.find(({ parent }) => parent === undefined) ?? spans.find(isAgent);
  return top?.error === undefined ? undefined : false;
}
