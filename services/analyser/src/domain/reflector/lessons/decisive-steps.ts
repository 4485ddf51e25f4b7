import { namesDefinedIn } from '../actions/code-parts.js';
import { likeness } from '../actions/compare-actions.js';
import type { Step } from '../read-steps.js';

export interface DecisiveSteps {
  /** What made the difference, in order. */
  deeds: [Step, ...Step[]];
  /** How it was confirmed: a look or a check at the end, after changes. */
  confirmation?: Step;
  /** Looks that came before. */
  looks: Step[];
  /** An earlier form of the last deed that ran, and was not the end. */
  earlier?: Step;
}

const refined = 0.5;
const most = 4;
const lookBack = 40;

/**
 * The deeds that a success of a shell, SQL or code agent rests on. Where the run ends with a look or a check after
 * changes, the changes are the deed and the look is how it was confirmed.
 */
export function decisiveSteps(allDeeds: readonly Step[]): DecisiveSteps | undefined {
  const acts = allDeeds.filter(({ action }) => action.kind !== 'reply');
  const last = acts.findLast(({ outcome }) => outcome.kind !== 'error') ?? acts.at(-1);
  if (!last) return undefined;

  const before = acts.slice(0, acts.indexOf(last));
  const endsWithChange = last.role === 'change';
  const [firstChange, ...changes] = withoutRefinements(
    before.filter(isCleanChange),
    endsWithChange ? [last] : [],
  ).slice(1 - most);
  const deeds: [Step, ...Step[]] = firstChange ? [firstChange, ...changes, ...(endsWithChange ? [last] : [])] : [last];
  const earlier = earlierForm(before, deeds.at(-1) ?? last);
  return {
    deeds,
    looks: before.filter(({ role, outcome }) => outcome.kind !== 'error' && role === 'look'),
    ...(firstChange && !endsWithChange ? { confirmation: last } : {}),
    ...(earlier && !deeds.includes(earlier) ? { earlier } : {}),
  };
}

function isCleanChange({ role, outcome }: Step): boolean {
  return outcome.kind !== 'error' && role === 'change';
}

/** Of several forms of one command only the last counts. Looks at the latest few only: linear. */
function withoutRefinements(changes: readonly Step[], after: readonly Step[]): Step[] {
  const kept: Step[] = [];
  for (const step of changes.slice(-24).reverse()) {
    const later = [...after, ...kept];
    if (!later.some((other) => areFormsOfOne(step, other))) kept.push(step);
  }
  return kept.reverse();
}

/** The same command with other options, or a script that defines what the later one defines again. */
function areFormsOfOne({ action: earlier }: Step, { action: later }: Step): boolean {
  if (likeness(earlier, later) >= refined) return true;
  if (earlier.kind !== 'code' || later.kind !== 'code') return false;
  const again = namesDefinedIn(later.text);
  return [...namesDefinedIn(earlier.text)].some((name) => again.has(name));
}

function earlierForm(before: readonly Step[], deed: Step): Step | undefined {
  return before
    .slice(-lookBack)
    .findLast(
      ({ action, outcome, role }) =>
        outcome.kind !== 'error' &&
        role === deed.role &&
        action.text !== deed.action.text &&
        likeness(action, deed.action) >= refined,
    );
}
