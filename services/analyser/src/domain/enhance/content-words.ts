const stopWords = new Set(
  (
    'a about above all also am an and any are as at be because been before being below between both but by can could did do does doing down during each ' +
    'few for from further get give had has have having he help her here hers hi hello him his how i if in into is it its itself just let like ll make me ' +
    'more most my need no nor not now of off on once only or other our out over own please re same she should so some such task than that the their them ' +
    'then there these they this those through to too under until up us use using ve very want was way we were what when where which while who why will ' +
    'with would you your'
  ).split(' '),
);
const scanLimit = 4_000;
const nearlyAll = 0.8;

/** The words that carry the meaning, in lower case and without their endings, each once. */
export function contentWords(text: string): Set<string> {
  const words =
    text
      .slice(0, scanLimit)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{2,40}/gu) ?? [];
  return new Set(words.filter((word) => !stopWords.has(word)).map(stem));
}

/** Enough of stemming to let "files", "filing" and "file" meet; it need not be right, only the same on both sides. */
function stem(word: string): string {
  return word.length <= 4 ? word.replace(/s$/, '') : word.replace(/(?:ations?|ings?|ers?|ed|es|s|ly|e)$/, '');
}

/** Shared words as a part of all words of both. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** Whether two tasks are one in other words: a word more on one side is a wording, another word on either side is another task. */
export function agree(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  return jaccard(a, b) >= nearlyAll && [...few].every((word) => many.has(word));
}
