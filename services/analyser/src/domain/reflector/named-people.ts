const name = "\\p{Lu}(?:(?!['’]s\\b)[\\p{L}'’-]){1,40}";
const introduced = new RegExp(
  `(?:\\b[Mm]y name(?: is|['’]s)|\\b[Mm]ein [Nn]ame ist|\\b[Ii]ch hei(?:ß|ss)e|\\b[Jj]e m['’]appelle|\\b[Mm]e llamo|\\b[Mm]i nombre es)[: ]{1,2}(${name}(?: ${name}){0,3})`,
  'gu',
);
/** Said of many things; two words with capitals after it are somebody. */
const presented = new RegExp(
  `\\b(?:[Ii] am|[Ii]['’]m|[Tt]his is|[Ii]ch bin|[Jj]e suis) (${name}(?: ${name}){1,2})`,
  'gu',
);
const addressed = new RegExp(
  `\\b(?:Mr|Mrs|Ms|Dr|Prof|Herrn?|Frau|Mme|Monsieur|Madame|Señora?)\\.? (${name}(?: ${name}){0,2})`,
  'gu',
);

/** The names of people that a text introduces or addresses, word by word. The text has to be bounded. */
export function peopleIn(text: string): Set<string> {
  const names = new Set<string>();
  for (const pattern of [introduced, presented, addressed]) {
    for (const [, found = ''] of text.matchAll(pattern)) for (const word of found.split(' ')) names.add(word);
  }
  return names;
}
