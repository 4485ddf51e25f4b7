import { boundsDiffer } from './bounds.js';
import { negationsDiffer } from './exceptions.js';
import { opposites, oppositesByPrefix } from './opposites.js';
import { type Relation, swapOf } from './relations.js';
import { type Exception, readSenses, type Senses, type Sides } from './sense-reading.js';
import { isGeneric } from './task-words.js';

/**
 * `excepts`: one task excludes or negates what the other is about. `opposed`: one asks for the opposite, or swaps source and
 * destination.
 */
export type Agreement = 'agree' | 'unclear' | 'excepts' | 'opposed';

const bySeverity: readonly Agreement[] = ['opposed', 'excepts', 'unclear'];
/** In longer tasks a word may be incidental: opposites count only if said of the same thing. */
const shortTask = 60;

/** Whether two tasks want the same rather than the opposite; says nothing about their similarity. */
export function compareSenses(task: string, past: string): Agreement {
  return task === past ? 'agree' : compareReadings(readSenses(task), readSenses(past));
}

/** For comparing one task with many. */
export function compareReadings(a: Senses, b: Senses): Agreement {
  if (a.spelling === b.spelling) return 'agree';
  if (!a.isReadable || !b.isReadable) return negationsDiffer(a.written, b.written) ? 'excepts' : 'unclear';
  if (boundsDiffer(a.bounds, b.bounds)) return 'opposed';
  const found = [compareRelations(a, b), compareSides(a, b), compareExceptions(a, b)];
  return bySeverity.find((agreement) => found.includes(agreement)) ?? 'agree';
}

function compareRelations(a: Senses, b: Senses): Agreement {
  const found = a.relations.flatMap((one) => b.relations.map((other) => compareRelation(one, other, a, b)));
  return bySeverity.find((agreement) => found.includes(agreement)) ?? 'agree';
}

function compareRelation(one: Relation, other: Relation, a: Senses, b: Senses): Agreement {
  const swap = swapOf(one, other);
  if (swap === 'no') return 'agree';
  if (swap === 'swapped') return one.kind === 'range' ? 'unclear' : 'opposed';
  if (one.kind === 'order') return one.said === other.said ? 'agree' : 'opposed';
  // "From a to b" and "from b to c" share a value in different roles.
  const isValue = (stem: string) => a.values.has(stem) && b.values.has(stem);
  const shared = [...one.from, ...one.to].filter((stem) => other.from.has(stem) || other.to.has(stem));
  return one.kind === 'direction' && shared.some(isValue) ? 'unclear' : 'agree';
}

function compareSides(a: Senses, b: Senses): Agreement {
  const isShort = Math.max(a.length, b.length) <= shortTask;
  let result: Agreement = 'agree';
  /** Keyed by wording, since one word can appear in several rows. */
  const contrary = new Map<string, number>();
  if (forbidsOther(a, b) || forbidsOther(b, a)) result = 'unclear';
  for (const [key, one] of a.sides) {
    const other = b.sides.get(key);
    if (!other) continue;
    const agreement = compareSide(one, other, isShort);
    if (agreement === 'opposed') contrary.set([...one.said, '/', ...other.said].join(' '), one.row);
    else if (agreement === 'unclear') result = 'unclear';
  }
  if (opposedByPrefix(a, b)) contrary.set('', -1);
  if (contrary.size === 0) return result;
  // Deleting the old ones means keeping the new ones: two opposites cancel out.
  const isTwice = contrary.size === 2 && [...contrary.values()].some((row) => opposites[row]?.splits);
  return isTwice ? 'unclear' : 'opposed';
}

/** One task forbids what the other says nothing about. */
function forbidsOther(a: Senses, b: Senses): boolean {
  return [...a.sides].some(([key, { isForbidden }]) => isForbidden && !b.sides.has(key));
}

function compareSide(a: Sides, b: Sides, isShort: boolean): Agreement {
  if (a.one && !a.other && b.other && !b.one) return isShort || intersects(a.one, b.other) ? 'opposed' : 'agree';
  if (a.other && !a.one && b.one && !b.other) return isShort || intersects(a.other, b.one) ? 'opposed' : 'agree';
  const forth = intersects(minus(a.one, a.other), minus(b.other, b.one));
  const back = intersects(minus(a.other, a.one), minus(b.one, b.other));
  if (forth && back) return 'opposed';
  const alike = intersects(a.one, b.one) || intersects(a.other, b.other);
  return forth || back || (a.leads !== b.leads && !alike) ? 'unclear' : 'agree';
}

function opposedByPrefix(a: Senses, b: Senses): boolean {
  const isOpposed = (word: string) =>
    oppositesByPrefix(word).some((other) => b.about.has(other) && !b.values.has(other) && !a.about.has(other));
  return [...a.about].some((word) => !a.values.has(word) && !b.about.has(word) && isOpposed(word));
}

function compareExceptions(a: Senses, b: Senses): Agreement {
  const onlyA = a.exceptions.filter((exception) => !isMatched(exception, b));
  const onlyB = b.exceptions.filter((exception) => !isMatched(exception, a));
  if (onlyA.some((exception) => isMoved(exception, a, b)) || onlyB.some((exception) => isMoved(exception, b, a)))
    return 'excepts';
  // Tasks that each exclude a different value are alike.
  const pairs = Math.min(valuesIn(onlyA), valuesIn(onlyB));
  const left = [
    ...unpaired(onlyA, pairs).map((exception) => agreementWithout(exception, b)),
    ...unpaired(onlyB, pairs).map((exception) => agreementWithout(exception, a)),
  ];
  const found = bySeverity.find((agreement) => left.includes(agreement)) ?? 'agree';
  // Each excludes something different: these could be equivalent.
  return found === 'excepts' && onlyA.length > 0 && onlyB.length > 0 ? 'unclear' : found;
}

/** One task excludes what the other is about. */
function isMoved({ stems, isStatement }: Exception, a: Senses, b: Senses): boolean {
  return !isStatement && [...stems].some((stem) => isSpecific(stem) && !a.about.has(stem) && b.about.has(stem));
}

function isMatched({ stems }: Exception, other: Senses): boolean {
  const telling = [...stems].filter(isSpecific);
  if (telling.length === 0) return other.exceptions.some((exception) => ![...exception.stems].some(isSpecific));
  return telling.some(
    (stem) => leavesOut(other, stem) || oppositesByPrefix(stem).some((word) => other.about.has(word)),
  );
}

function leavesOut({ exceptions, denied }: Senses, stem: string): boolean {
  return denied.has(stem) || exceptions.some(({ stems }) => stems.has(stem));
}

function valuesIn(exceptions: readonly Exception[]): number {
  return exceptions.filter(({ hasValue }) => hasValue).length;
}

function unpaired(exceptions: readonly Exception[], pairs: number): Exception[] {
  let paired = 0;
  return exceptions.filter((exception) => !exception.hasValue || ++paired > pairs);
}

function agreementWithout({ kind, stems, isStatement }: Exception, other: Senses): Agreement {
  const isAbout = [...stems].some((stem) => isSpecific(stem) && other.about.has(stem));
  if (isStatement) return isAbout ? 'unclear' : 'agree';
  return kind === 'except' || isAbout ? 'excepts' : 'unclear';
}

function isSpecific(stem: string): boolean {
  return !isGeneric(stem);
}

function minus(these: ReadonlySet<string> | undefined, those: ReadonlySet<string> | undefined): Set<string> {
  return new Set([...(these ?? [])].filter((stem) => isSpecific(stem) && !those?.has(stem)));
}

function intersects(these: ReadonlySet<string> | undefined, those: ReadonlySet<string> | undefined): boolean {
  return [...(these ?? [])].some((stem) => those?.has(stem));
}
