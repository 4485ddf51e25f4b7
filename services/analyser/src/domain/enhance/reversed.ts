import type { Insight } from '@whetstone/contracts';

/** What an example leaves out: `! -name "*.txt"`, `grep -v error`, `--exclude=cache`, `<> 'open'`, `NOT LIKE '%x%'`. */
const leftOut =
  /(?:(?:^|\s)(?:!|-not)\s+-i?(?:name|path|user|group|type|size|perm)\s+|\bgrep\s+(?:-\w{1,8}\s+){0,3}-\w{0,6}v\w{0,6}\s+|--exclude(?:-dir)?[= ]|(?:!=|<>)\s*|\bnot\s+(?:i?like|in)\s*\(?\s*)(?:"([^"]{2,60})"|'([^']{2,60})'|\\?([^\s"'();|]{2,60}))/gi;
const exception =
  /\b(?:not|no|non|never|except(?:ing|ion)?|exclud\w{0,3}|but|without|other than|ignor\w{0,3}|skip\w{0,4}|omit\w{0,4}|leav\w{0,3} out|besides|unless|n't)\b|!/i;
const before = 48;

/**
 * Whether an example leaves out the very thing that the task is about. "Remove everything but the notes" is near to "remove the
 * notes", word for word and in meaning, and its command does the opposite.
 */
export function isReversed({ example = '' }: Insight, task: string): boolean {
  const asked = task.slice(0, 4_000).toLowerCase();
  return [...example.slice(0, 2_000).matchAll(leftOut)]
    .map(([, double, single, bare]) => (double ?? single ?? bare ?? '').toLowerCase())
    .some((thing) => /[\p{L}\p{N}]/u.test(thing) && isAskedFor(thing, asked));
}

/** It stands in the task, and nowhere as an exception. */
function isAskedFor(thing: string, task: string): boolean {
  let at = task.indexOf(thing);
  if (at < 0) return false;
  for (; at >= 0; at = task.indexOf(thing, at + 1)) {
    if (exception.test(task.slice(Math.max(0, at - before), at))) return false;
  }
  return true;
}
