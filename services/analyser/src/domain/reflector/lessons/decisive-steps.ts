import { roleOf } from '../action-role.js';
import { likeness } from '../compare-actions.js';
import type { Step } from '../read-steps.js';

export interface DecisiveSteps {
  /** What made the difference, in order; the last is what the run ended with. */
  steps: Step[];
  /** Looks that came before. */
  looks: Step[];
  check?: Step;
  /** An earlier form of the last step that ran, and was not enough. */
  earlier?: Step;
}

const refined = 0.5;
const most = 4;
const lookBack = 40;

/**
 * The deeds that a success of a shell, SQL or code agent rests on. Where the run ends with a look or a check after
 * changes, the changes are the deed and the look is how it was confirmed.
 */
export function decisiveSteps(deeds: readonly Step[]): DecisiveSteps | undefined {
  const acts = deeds.filter(({ action }) => action.kind !== 'reply');
  const last = acts.findLast(({ outcome }) => outcome.kind !== 'error') ?? acts.at(-1);
  if (!last) return undefined;

  const before = acts.slice(0, acts.indexOf(last));
  const changes = withoutRefinements(before.filter(isCleanChange), last);
  const isCheck = roleOf(last.action) === 'check';
  const steps = [...changes, last].slice(-most);
  const earlier = before
    .slice(-lookBack)
    .findLast(
      (step) =>
        step.outcome.kind !== 'error' &&
        step.action.text !== last.action.text &&
        likeness(step.action, last.action) >= refined,
    );
  return {
    steps,
    looks: before.filter(
      (step) => step.outcome.kind !== 'error' && roleOf(step.action) === 'look' && !steps.includes(step),
    ),
    ...(isCheck ? { check: last } : {}),
    ...(earlier && !steps.includes(earlier) ? { earlier } : {}),
  };
}

function isCleanChange({ action, outcome }: Step): boolean {
  return outcome.kind !== 'error' && roleOf(action) === 'change';
}

/** Of several forms of one command only the last counts. Looks at the latest few only: linear. */
function withoutRefinements(changes: readonly Step[], last: Step): Step[] {
  const kept: Step[] = [];
  for (const step of changes.slice(-24).reverse()) {
    const later = [last, ...kept];
    if (later.every((other) => likeness(step.action, other.action) < refined)) kept.push(step);
  }
  return kept.reverse();
}
