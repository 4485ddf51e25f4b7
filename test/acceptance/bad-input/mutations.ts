export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Place = (string | number)[];

export interface Mutation {
  place: Place;
  /** What was put there, for people. */
  what: string;
  /** The whole body, as it is sent. */
  text: string;
}

/** Raw JSON texts, so that what JavaScript cannot hold can be put somewhere too. */
const substitutes = [
  'null',
  'true',
  'false',
  '0',
  '1',
  '-1',
  '-0',
  '1.5',
  '1e308',
  '-1e308',
  '1e-320',
  '1e400',
  '9007199254740993',
  '123456789012345678901234567890',
  '""',
  '" "',
  '"text"',
  '"true"',
  '"\\u0000"',
  '"\\ud83e\\udea8"',
  '[]',
  '[null]',
  '[[[]]]',
  '{}',
  '{"a":1}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":null,"hasOwnProperty":1}',
  '{"length":-1}',
  '{"$ref":"#"}',
];

/** Every place of a value: itself, every field, every element, at every depth. */
export function placesOf(value: Json, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [
    at,
    ...Object.entries(value).flatMap(([name, child]) =>
      placesOf(child, [...at, Array.isArray(value) ? Number(name) : name]),
    ),
  ];
}

/** The body with every substitute at every place, and with every field left out once. */
export function* wrongTypes(body: Json): Generator<Mutation> {
  for (const place of placesOf(body)) {
    for (const substitute of substitutes) yield { place, what: substitute, text: textWith(body, place, substitute) };
    if (typeof place.at(-1) === 'string') yield { place, what: 'left out', text: textWith(body, place, undefined) };
  }
}

/** The text cut off at every point, and with every character left out, doubled or replaced once. */
export function* brokenTexts(text: string): Generator<string> {
  const intruders = ['"', '{', ']', ',', '\\', '\u0000', '\n', 'é'];
  for (let at = 0; at < text.length; at++) {
    yield text.slice(0, at);
    yield text.slice(0, at) + text.slice(at + 1);
    yield text.slice(0, at) + (intruders[at % intruders.length] as string) + text.slice(at);
  }
  yield `${text}x`;
  yield `${text}${text}`;
  yield `// comment\n${text}`;
}

const marker = '\u0001marker\u0001';

function textWith(body: Json, place: Place, substitute: string | undefined): string {
  if (place.length === 0) return substitute ?? '';
  const copy = structuredClone(body);
  let holder = copy as Record<string | number, Json>;
  for (const step of place.slice(0, -1)) holder = holder[step] as Record<string | number, Json>;
  const last = place.at(-1) as string | number;
  if (substitute === undefined) delete holder[last];
  else holder[last] = marker;
  return JSON.stringify(copy).replace(JSON.stringify(marker), () => substitute ?? '');
}
