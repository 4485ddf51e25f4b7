import { clip, oneLine } from './bounded-text.js';

/** What belongs to one task only, and is replaced by a placeholder wherever a lesson speaks in general. */
const specifics: readonly [RegExp, string][] = [
  [/\bhttps?:\/\/[^\s'"<>)]+/g, '<url>'],
  [/\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}\b/g, '<email>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?\b/g, '<date>'],
  [
    /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}(?:st|nd|rd|th)?\b(?:,? \d{4})?/gi,
    '<date>',
  ],
  [
    /\b\d{1,2}(?:\.|st|nd|rd|th)? (?:of )?(?:Jan|Feb|Mar|Mär|Apr|Ma[iy]|Jun|Jul|Aug|Sep|O[ck]t|Nov|De[cz])\p{L}{0,6}(?!\p{L})\.?(?:,? \d{4})?/gu,
    '<date>',
  ],
  [/\b\d{1,2}\.\d{1,2}\.\d{4}\b|\b\d{1,2}\/\d{1,2}\/\d{2,4}\b/g, '<date>'],
  [/\b\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?\b/gi, '<time>'],
  [
    /[$€£¥] ?\d[\d,.]{0,20}\d|[$€£¥] ?\d|\b\d[\d,.]{0,20} ?(?:[€£¥円元]|(?:EUR|USD|GBP|CHF|JPY|euros?|dollars?)\b)/g,
    '<amount>',
  ],
  // Telephone numbers and the like: groups of digits, but no two years.
  [/(?<![\w-])(?![12]\d{3}-[12]\d{3}\b)(?=[\d-]{7,40})\+?\d{2,}(?:-\d{2,}){1,5}(?![\w-])/g, '<id>'],
  [/(^|[\s"'`(=:])(?:~|\.{1,2})?\/[\w.@*-]{2,60}(?:\/[\w.@*-]{0,60}){0,20}/g, '$1<path>'],
  [/(^|[\s"'`(=:])[\w.@*-]{1,60}(?:\/[\w.@*-]{1,60}){2,20}\/?/g, '$1<path>'],
  [
    /\b[\w-]{1,60}\.(?:txt|log|csv|json|xml|ya?ml|md|pdf|png|jpe?g|java|py|js|ts|php|sh|c|cpp|h|go|rs|rb|html?|css|sql|db|zip|gz|tar|conf|cfg|ini|docx?|xlsx?)\b/g,
    '<file>',
  ],
  // Codes and ids: capitals with digits (ZX81QT), a word with a longer number tied to it (order_1182), long hex.
  [/(?<![\w<-])#?(?=[\w-]{0,40}\d)(?=[\w-]{0,40}[A-Z])[A-Za-z0-9][A-Za-z0-9-]{4,60}(?![\w>])/g, '<id>'],
  [/(?<![\w<-])#?(?=[\w-]{0,60}[_-]\w{0,20}\d\d)[A-Za-z]\w{0,30}(?:[_-]\w{1,30}){1,4}(?![\w>])/g, '<id>'],
  [/\b(?=[0-9a-f]{0,64}\d)[0-9a-f]{12,64}\b/g, '<id>'],
  [/#?\b\d{4,}(?:\.\d+)?\b/g, '<number>'],
];

/** A word as names are made of them: quotation marks and the ’s of an owner stay outside. */
const nameLike = /[\p{L}\p{N}_](?:(?!['’]s?(?![\p{L}\p{N}]))[\p{L}\p{N}_'’-]){0,58}[\p{L}\p{N}_]/gu;

/** Speaks of the kind of thing instead of the thing. The text has to be bounded. */
export function generalise(text: string, names: ReadonlySet<string> = new Set()): string {
  let general = oneLine(text);
  for (const [pattern, placeholder] of specifics) general = general.replace(pattern, placeholder);
  if (names.size > 0) general = general.replace(nameLike, (word) => (names.has(word) ? '…' : word));
  return general.replace(/…(?: …)+/g, '…');
}

/** Any but an HTTP status, which is what the message says. */
const anyNumber = /(?<![\w<.-])(?!(?:[45]\d\d)\b)\d+(?:\.\d+)?(?![\w>])/g;
const smallNumbers = /(?<![\w<.-])\d+(?:[.,]\d+)?(?![\w>])/g;
const quoted = /"[^"]{1,80}"|(?<!\w)'[^']{1,80}'(?!\w)|“[^”]{1,80}”|`[^`]{1,80}`/g;
const listOfNames = /\[(?:'…'(?:, )?){2,40}(?:\]|$)/g;
const shellPrefix =
  /^.{0,120}?: (?:-\w: )?line \d+: |^(?:\/[\w./-]{1,40}\/)?(?:ba|z|da)?sh: (?:\d+: |-c: )?|^ERROR \d+ \(\w+\)(?: at line \d+)?: |^(?:error|failure)(?: while| when)? (?:executing|running|evaluating|processing) [\w ]{1,30}: /i;
const aboutFiles =
  /no such file|cannot (?:remove|stat|access|open|create|touch)|is a directory|not a directory|file exists/i;
const speakerPrefix = /^(?:\/[\w./-]{1,60}\/)?([\w.+-]{1,30}): (?=\S)/;

/** A task as the kind of task it is: quoted names and amounts go as well. */
export function generaliseTask(task: string, max: number, names: ReadonlySet<string> = new Set()): string {
  const first = clip(oneLine(task.slice(0, 2_000)), max * 2);
  return clip(
    generalise(first.replace(quoted, '…'), names).replace(smallNumbers, 'N').replaceAll('<number>', 'N'),
    max,
  );
}

/** What the shell puts before a message of its own or of a program. */
export function withoutShellPrefix(message: string): string {
  return message.replace(shellPrefix, '');
}

/** An error message in the form in which it comes back in another task: options and identifiers stay. */
export function generaliseError(message: string, speaker: string, max: number): string {
  const said = withoutShellPrefix(message).replace(speakerPrefix, (prefix, name: string) =>
    name === speaker || /^error$/i.test(name) ? '' : prefix,
  );
  const kept = said.replace(quoted, (name) => {
    const inner = name.slice(1, -1);
    if (/^--?[A-Za-z][\w-]*/.test(inner)) return `'${inner.split('=', 1)[0]}'`;
    const isIdentifier = /^[a-z_][A-Za-z_.]{0,40}$/.test(inner) && !/\.(?:[a-z]{2,4})$/.test(inner);
    return isIdentifier && !aboutFiles.test(said) ? `'${inner}'` : "'…'";
  });
  return clip(generalise(kept).replaceAll('<number>', 'N').replace(anyNumber, 'N').replace(listOfNames, '[…]'), max);
}

/** A message without the values of the very call that it answers: they belong to the one task. */
export function withoutValuesOf(call: string, message: string): string {
  const values = [...call.slice(0, 2_000).matchAll(/"([^"\\]{3,60})"(?!\s?:)/g)]
    .map(([, value = '']) => value)
    .slice(0, 40);
  return values.reduce(withoutValue, message);
}

/** Where it stands by itself: part of a word is another word. */
export function withoutValue(message: string, value: string): string {
  const parts = message.split(value);
  return parts.reduce((text, part) => {
    const isWhole = !/[\p{Script=Latin}\p{N}]$/u.test(text) && !/^[\p{Script=Latin}\p{N}]/u.test(part);
    return `${text}${isWhole ? '…' : value}${part}`;
  });
}

/** Names of people and codes that the interaction's own data shows as values; they must not leave it in a sentence. */
export function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  const fields =
    /"(?:\w{0,30}_?(?:name|city|street|address\d?|origin|destination|email|username|phone)|(?:\w{0,30}_)?id)"\s?:\s?"([^"]{2,60})"/gi;
  for (const [, value = ''] of text.matchAll(fields)) {
    for (const word of value.split(/[\s,]+/)) if (/^\p{Lu}/u.test(word) || /\d/.test(word)) names.add(word);
  }
  return names;
}
