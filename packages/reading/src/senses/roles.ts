import { away, towards } from './relations.js';
import { isContent, isLink, type TaskWord, taskWords } from './task-words.js';

/** The part that a word plays in its clause, by the preposition before it: none, an origin or owner, a destination, who did it. */
type Role = 'none' | 'from' | 'to' | 'by' | 'other';

const roles = new Map<string, Role>([
  ...[...away, 'of', 'aus'].map((word) => [word, 'from'] as const),
  ...[...towards, 'zu'].map((word) => [word, 'to'] as const),
  ['by', 'by'],
]);

/** "All of the lines", "every one of them", "get rid of them": here "of" says nothing. */
const beforeOf = new Set('all any each both some most none half one rid'.split(' '));

/** Of each word that carries meaning. */
export function rolesOf(task: readonly TaskWord[]): Map<string, Set<Role>> {
  const found = new Map<string, Set<Role>>();
  let role: Role = 'none';
  for (const [at, word] of task.entries()) {
    const named = word.isValue ? undefined : roles.get(word.word);
    if (named && beforeOf.has(task[at - 1]?.word ?? '')) continue;
    if (named) role = named;
    else if (isLink(word)) role = 'other';
    else if (isContent(word)) found.set(word.stem, (found.get(word.stem) ?? new Set()).add(word.owns ? 'from' : role));
    if (word.ends) role = 'none';
  }
  return found;
}

type Roles = ReturnType<typeof rolesOf>;

/** Whether a word has another role: "prod" in "copy from prod to staging" and "copy into prod out of staging". */
export function rolesDiffer(a: Roles, b: Roles): boolean {
  return [...a].some(([stem, own]) => differ(own, b.get(stem) ?? own));
}

/** "To Norway", "from Norway" */
export function directionsDiffer(a: Roles, b: Roles): boolean {
  const isOpposed = (these: ReadonlySet<Role>, those: ReadonlySet<Role>) =>
    these.size === 1 && those.size === 1 && these.has('to') && those.has('from');
  return [...a].some(([stem, own]) => {
    const other = b.get(stem) ?? own;
    return isOpposed(own, other) || isOpposed(other, own);
  });
}

/** Whether a word of the text has another role. */
export function hasOtherRole(text: string, a: Roles, b: Roles): boolean {
  return taskWords(text).some(({ stem }) => {
    const [one, other] = [a.get(stem), b.get(stem)];
    return one !== undefined && other !== undefined && differ(one, other);
  });
}

function differ(these: ReadonlySet<Role>, those: ReadonlySet<Role>): boolean {
  return ![...these].some((role) => role === 'other' || those.has(role) || those.has('other'));
}
