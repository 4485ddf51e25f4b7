/** Phrases first, then single words; the case of the first letter is kept. */
const rewordings: readonly (readonly [RegExp, string])[] = [
  [/\bi(?:'m| am) (?:looking|hoping|trying|planning) to\b/gi, 'I would like to'],
  [/\bi(?:'d| would) like to\b/gi, 'I want to'],
  [/\bi need to\b/gi, 'I have to'],
  [/\bcan you (?:please )?(?:help|assist)(?: me)?(?: with)?\b/gi, 'could somebody assist me with'],
  [/\bcan you\b/gi, 'are you able to'],
  [/\bhow many\b/gi, 'what number of'],
  [/\bthe number of\b/gi, 'the quantity of'],
  [/\ba list of\b/gi, 'an enumeration of'],
  [/\b(?:that|which) are\b/gi, 'being'],
  [/\bdirector(?:y|ies) tree\b/gi, 'folder hierarchy'],
  [/\bdirectory\b/gi, 'folder'],
  [/\bdirectories\b/gi, 'folders'],
  [/\b(?:find|search for|look for)\b/gi, 'locate'],
  [/\b(?:delete|erase)\b/gi, 'remove'],
  [/\bremove all\b/gi, 'get rid of all'],
  [/\b(?:list|display|print|prints|show)\b/gi, 'output'],
  [/\b(?:calculate|compute)\b/gi, 'work out'],
  [/\bcount\b/gi, 'tally'],
  [/\bcreate\b/gi, 'make'],
  [/\bcopy\b/gi, 'duplicate'],
  [/\b(?:change|modify)\b/gi, 'alter'],
  [/\brename\b/gi, 'give another name to'],
  [/\bsort\b/gi, 'order'],
  [/\breplace\b/gi, 'substitute'],
  [/\bcompress\b/gi, 'pack'],
  [/\barchive\b/gi, 'bundle'],
  [/\ball(?: the)?\b/gi, 'every one of the'],
  [/\beach\b/gi, 'every single'],
  [/\b(?:larger|bigger|greater) than\b/gi, 'above'],
  [/\b(?:smaller|less) than\b/gi, 'below'],
  [/\bolder than\b/gi, 'of an age above'],
  [/\brecursively\b/gi, 'with everything underneath'],
  [/\bending (?:with|in)\b/gi, 'that end in'],
  [/\bnamed\b/gi, 'called'],
  [/\bcancel\b/gi, 'call off'],
  [/\bbook\b/gi, 'make a booking for'],
  [/\brefund\b/gi, 'money back'],
  [/\bupdate\b/gi, 'bring up to date'],
  [/\bsend\b/gi, 'dispatch'],
  [/\bschedule\b/gi, 'arrange'],
  [/\bcustomers\b/gi, 'clients'],
  [/\bper\b/gi, 'for every'],
];

const beginnings = ['Please do this: ', 'Your task is the following. ', 'Here is what is needed: ', ''] as const;

/** Quoted text, paths, ids and amounts are kept: they are the subject of the task. */
const untouched = /"[^"]*"|'[^'\s][^']*'|`[^`]*`|\S*[/_*.\\$]\S+|\S*\d\S*/g;

/**
 * The same task in other words, by rule and always the same: phrases and words by synonyms, the last clause of place ("under …",
 * "in …") put first, and another beginning.
 */
export function paraphrase(task: string): string {
  const kept: string[] = [];
  // Each is replaced by a private-use character.
  const marked = task.replace(untouched, (text) => String.fromCharCode(0xe000 + kept.push(text) - 1));
  const reworded = rewordings.reduce((text, [from, to]) => text.replace(from, (match) => inCaseOf(match, to)), marked);
  const whole = placeFirst(reworded).replace(/[\ue000-\uf8ff]/g, (mark) => kept[mark.charCodeAt(0) - 0xe000] ?? mark);
  return `${beginnings[sumOf(task) % beginnings.length]}${whole}`;
}

const lastPlace =
  /^(.{12,}?)\s+((?:under|below|within|inside|in|on)\s+(?:the\s+)?[\ue000-\uf8ff](?:\s+folder(?: hierarchy)?)?)[.?!]?$/is;

function placeFirst(text: string): string {
  const clause = lastPlace.exec(text);
  if (!clause) return text;
  const [, rest, place] = clause as unknown as [string, string, string];
  return `${place.charAt(0).toUpperCase()}${place.slice(1)}, ${rest.charAt(0).toLowerCase()}${rest.slice(1)}`;
}

function inCaseOf(match: string, text: string): string {
  return /^[A-Z]/.test(match) ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text;
}

function sumOf(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) as number)) % 65_521;
  return sum;
}
