/** `body`, `query` or `path`, then field names and array indices. */
export type Location = readonly (string | number)[];

/** One validation error, worded as FastAPI's clients know it. */
export interface Problem {
  loc: Location;
  msg: string;
  type: string;
}

export const maxProblems = 100;
/** Of all locations together, in characters. Field names come from the body, and each problem repeats those that it is under. */
const maxLocations = 64 * 1024;
const longestName = 200;

const plain = {
  missing: 'Field required',
  string_type: 'Input should be a valid string',
  string_unicode: 'Input should be a valid string, unable to parse raw data as a unicode string',
  int_type: 'Input should be a valid integer',
  int_parsing: 'Input should be a valid integer, unable to parse string as an integer',
  int_from_float: 'Input should be a valid integer, got a number with a fractional part',
  int_parsing_size: 'Unable to parse input string as an integer, exceeded maximum size',
  bool_type: 'Input should be a valid boolean',
  bool_parsing: 'Input should be a valid boolean, unable to interpret input',
  float_type: 'Input should be a valid number',
  float_parsing: 'Input should be a valid number, unable to parse string as a number',
  finite_number: 'Input should be a finite number',
  list_type: 'Input should be a valid list',
  dict_type: 'Input should be a valid dictionary',
  model_attributes_type: 'Input should be a valid dictionary or object to extract fields from',
  datetime_type: 'Input should be a valid datetime',
  json_invalid: 'JSON decode error',
} as const;

export type PlainProblem = keyof typeof plain;

export function problem(type: PlainProblem, loc: Location): Problem {
  return { loc, msg: plain[type], type };
}

export function tooShort(loc: Location, least: number): Problem {
  return { loc, msg: `String should have at least ${characters(least)}`, type: 'string_too_short' };
}

export function blank(loc: Location): Problem {
  return { loc, msg: 'String should have at least 1 character that is not white space', type: 'string_too_short' };
}

export function tooLong(loc: Location, most: number, what = characters(most)): Problem {
  return { loc, msg: `String should have at most ${what}`, type: 'string_too_long' };
}

export function notPrintable(loc: Location): Problem {
  return { loc, msg: 'String should have printable characters only', type: 'string_pattern_mismatch' };
}

export function noDateTime(loc: Location, reason: string): Problem {
  return { loc, msg: `Input should be a valid datetime, ${reason}`, type: 'datetime_parsing' };
}

export function notOneOf(loc: Location, choices: readonly (string | number)[]): Problem {
  const named = choices.map((choice) => `'${choice}'`);
  return { loc, msg: `Input should be ${named.slice(0, -1).join(', ')} or ${named.at(-1)}`, type: 'literal_error' };
}

export function tooFew(loc: Location, least: number, count: number): Problem {
  const items = least === 1 ? '1 item' : `${least} items`;
  return { loc, msg: `List should have at least ${items} after validation, not ${count}`, type: 'too_short' };
}

export function tooSmall(loc: Location, least: number): Problem {
  return { loc, msg: `Input should be greater than or equal to ${least}`, type: 'greater_than_equal' };
}

export function tooGreat(loc: Location, most: number): Problem {
  return { loc, msg: `Input should be less than or equal to ${most}`, type: 'less_than_equal' };
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}

/** As many as an answer may list, at least one, with long field names cut. A small body cannot ask for a huge answer. */
export function boundProblems(problems: readonly Problem[]): Problem[] {
  const bound: Problem[] = [];
  let room = maxLocations;
  for (const one of problems.slice(0, maxProblems)) {
    const loc = one.loc.map((place) => (typeof place === 'string' ? cut(place) : place));
    room -= loc.reduce<number>((sum, place) => sum + String(place).length + 1, 0);
    if (room < 0 && bound.length > 0) break;
    bound.push({ ...one, loc });
  }
  return bound;
}

function cut(name: string): string {
  // Not through a surrogate pair.
  return name.length > longestName ? `${name.slice(0, longestName).replace(/[\ud800-\udbff]$/, '')}…` : name;
}
