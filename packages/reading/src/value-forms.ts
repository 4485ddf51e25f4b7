import { dateAt, datesIn } from './dates.js';
import {
  capitals,
  digits,
  either,
  isCapitalised,
  isCapitals,
  isDigits,
  maybe,
  one,
  type Rule,
  repeated,
  sequence,
  space,
  type Token,
  type Tokens,
  text,
  tokenAt,
} from './tokens.js';

export type ValueKind = 'id' | 'email' | 'name' | 'date' | 'phone' | 'amount' | 'address' | 'text';

export interface FoundValue {
  kind: ValueKind;
  from: number;
  to: number;
}

/** What identifies somebody or one case by its form alone. */
interface Form {
  kind: ValueKind;
  rule: Rule;
  /** Signs right before or right behind it that make it a part of something else. */
  neverAfter?: string;
  neverBefore?: string;
  /** In commands, queries and code as well: it belongs to a person wherever it stands. */
  everywhere?: true;
}

const word = one(({ type }) => type === 'word');
const number = digits(1, 20);
const figure = sequence(number, repeated(sequence(text('. ,'), number), 0, 8));
const decimal = sequence(maybe(text('-')), digits(1, 3), text('.'), digits(3, 12));
const currencies = 'EUR USD GBP CHF JPY CNY CAD AUD INR BRL MXN € £ ¥ ₹';
const houseNumber = sequence(digits(1, 5), maybe(one(({ type, text: { length } }) => type === 'word' && length === 1)));
const names = (fewest: number, most: number) =>
  repeated(sequence(maybe(text('.')), space, one(isNamePart)), fewest, most);
const romanceStreet = sequence(
  one(isRomanceStreet),
  repeated(sequence(space, text('de la le les des du del los las')), 0, 3),
  names(1, 3),
);
const city = sequence(one(isNamePart), names(0, 2), text(','), space);

const forms: readonly Form[] = [
  { kind: 'id', rule: longestRun(isIbanPart, ' ', 16, isIban), everywhere: true },
  {
    kind: 'id',
    rule: longestRun(isNumber, ' -', 6, isCardNumber),
    neverAfter: '.-',
    neverBefore: '-',
    everywhere: true,
  },
  { kind: 'date', rule: (tokens, at) => dateAt(tokens, at)?.to ?? 0, neverAfter: './-', neverBefore: '/' },
  // $1,249.90, but not the $1 of awk
  {
    kind: 'amount',
    rule: sequence(text(`$ ₩ ₽ ${currencies}`), maybe(space), figure),
    neverAfter: '$',
    neverBefore: `}'"`,
  },
  {
    kind: 'amount',
    rule: sequence(figure, maybe(space), text(`${currencies} euro euros Euro dollar dollars pounds francs pesos yen`)),
    neverAfter: '.,',
  },
  // 52.52031, 13.40495
  { kind: 'address', rule: sequence(decimal, text(', ;'), maybe(space), decimal), neverAfter: '.' },
  // 12 Old Mill Lane
  { kind: 'address', rule: lastOf(sequence(houseNumber, names(2, 5)), isStreet), everywhere: true },
  // Apt. 7B
  {
    kind: 'address',
    rule: sequence(text('Suite Apt Apartment Unit Wohnung'), maybe(text('.')), space, maybe(text('#')), houseNumber),
  },
  // Lindenstraße 12a
  { kind: 'address', rule: sequence(one(isGermanStreet), maybe(text('.')), space, houseNumber), everywhere: true },
  // 7 rue de la Gare, Calle Mayor 5
  { kind: 'address', rule: sequence(number, maybe(text(',')), space, romanceStreet), everywhere: true },
  { kind: 'address', rule: sequence(romanceStreet, maybe(text(',')), space, number), everywhere: true },
  // Elmwood, TX 00501 and SW1A 1AA
  {
    kind: 'address',
    rule: sequence(maybe(city), capitals(2), space, digits(5), maybe(sequence(text('-'), digits(4)))),
  },
  {
    kind: 'address',
    rule: sequence(capitals(1, 2), digits(1, 2), maybe(capitals(1)), space, digits(1), capitals(2)),
  },
  {
    kind: 'phone',
    rule: longestRun(isPhonePart, ' ./-', 9, isPhoneNumber),
    neverAfter: '.+/-',
    neverBefore: '/-',
    everywhere: true,
  },
  // @ada_marlow
  {
    kind: 'name',
    rule: sequence(text('@'), word, repeated(either(word, number, text('_')), 0, 9)),
    neverAfter: '/._-',
    neverBefore: '/(@',
  },
];

/** Values that are told by their form, whichever place they have in a text. */
export function formsIn(tokens: Tokens, onlyEverywhere: boolean): FoundValue[] {
  const starts = [...tokens.keys()].filter((at) => tokens[at]?.type !== 'space' && !goesOn(tokens, at - 1, -1));
  const found: FoundValue[] = [];
  for (const { kind, rule, neverAfter = '', neverBefore = '', everywhere } of forms) {
    if (onlyEverywhere && !everywhere) continue;
    for (const at of starts) {
      const to = isOneOf(tokenAt(tokens, at - 1), neverAfter) ? 0 : rule(tokens, at);
      if (to > 0 && !goesOn(tokens, to, 1) && !isOneOf(tokenAt(tokens, to), neverBefore))
        found.push({ kind, from: tokenAt(tokens, at).from, to: tokenAt(tokens, to - 1).to });
    }
  }
  return found;
}

function isOneOf({ text: sign }: Token, signs: string): boolean {
  return sign !== '' && signs.includes(sign);
}

function isOfWord({ type, text: found }: Token): boolean {
  return type === 'word' || type === 'number' || found === '_';
}

/** Whether a longer word, the name of a file, a version or a time of day goes on at a place. */
function goesOn(tokens: Tokens, at: number, step: 1 | -1): boolean {
  const [next, beyond] = [tokenAt(tokens, at), tokenAt(tokens, at + step)];
  return isOfWord(next) || (next.text === '.' && isOfWord(beyond)) || (next.text === ':' && beyond.type === 'number');
}

/** The longest run of such parts, with or without a separator between two, that passes the check. */
function longestRun(
  isPart: (token: Token) => boolean,
  separators: string,
  most: number,
  check: (found: string) => boolean,
): Rule {
  return (tokens, at) => {
    let found = '';
    let longest = 0;
    for (let place = at, count = 0; count < most; place++) {
      const one = tokenAt(tokens, place);
      if (isPart(one)) count++;
      else if (!isOneOf(one, separators) || !isPart(tokenAt(tokens, place + 1)) || place === at) break;
      found += one.text;
      if (isPart(one) && !goesOn(tokens, place + 1, 1) && check(found)) longest = place + 1;
    }
    return longest;
  };
}

/** What the rule reads, up to the last token that passes the test. */
function lastOf(rule: Rule, test: (token: Token) => boolean): Rule {
  return (tokens, at) => {
    let to = rule(tokens, at);
    while (to > at && !test(tokenAt(tokens, to - 1))) to--;
    // A number, one name at least, and what passed.
    return to >= at + 5 ? to : 0;
  };
}

function isNumber({ type }: Token): boolean {
  return type === 'number';
}

function isIbanPart({ type, text: found }: Token): boolean {
  return type === 'number' || isCapitals(found);
}

function isPhonePart({ type, text: found }: Token): boolean {
  return type === 'number' || found === '(' || found === ')' || found === '+';
}

/** "Gare", "d’Or". */
function isNamePart({ type, text: found }: Token): boolean {
  return type === 'word' && found !== found.toLowerCase();
}

const streets = new Set(
  'Street St Avenue Ave Road Rd Drive Dr Lane Ln Boulevard Blvd Court Ct Way Place Square Terrace Highway Parkway Circle Crescent Close'.split(
    ' ',
  ),
);
const romanceStreets = new Set(
  'rue avenue boulevard chemin quai calle avenida plaza paseo viale piazza rua'.split(' '),
);
const germanStreets = 'straße strasse str weg platz allee gasse damm ufer'.split(' ');

function isStreet({ text: found }: Token): boolean {
  return streets.has(found);
}

function isRomanceStreet({ text: found }: Token): boolean {
  return romanceStreets.has(found.toLowerCase());
}

function isGermanStreet({ text: found }: Token): boolean {
  return isCapitalised(found) && germanStreets.some((ending) => found.endsWith(ending));
}

function isIban(found: string): boolean {
  const compact = found.replaceAll(' ', '');
  if (compact.length < 15 || compact.length > 34 || !isCapitals(compact.slice(0, 2)) || !isDigits(compact.slice(2, 4)))
    return false;
  let rest = 0;
  for (const sign of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** The last digit of a card's number checks the others. */
function isCardNumber(found: string): boolean {
  const groups = found.split(/[ -]/);
  const digitsFound = [...groups.join('')].map(Number);
  if (digitsFound.length < 13 || digitsFound.length > 19 || groups.some(({ length }) => length < 3)) return false;
  const sum = digitsFound.reverse().reduce((total, digit, at) => {
    const counted = at % 2 === 0 ? digit : digit * 2;
    return total + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return sum % 10 === 0 && new Set(digitsFound).size > 1;
}

function isPhoneNumber(found: string): boolean {
  const groups = found.match(/\d+/g) ?? [];
  const { length } = groups.join('');
  if (
    length < 8 ||
    length > 15 ||
    groups.slice(1).some((group) => group.length < 2) ||
    found.endsWith('(') ||
    found.lastIndexOf('+') > 0
  )
    return false;
  if (datesIn(found).size > 0) return false;
  if (found.startsWith('+')) return true;
  // Thousands and addresses of machines.
  const isPlain = !found.includes('-') && !found.includes('(') && !found.includes('/');
  if (isPlain && groups.length > 1 && groups.slice(1).every((group) => group.length === 3)) return false;
  if (groups.length === 4 && found.split('.').length === 4 && groups.every((group) => group.length <= 3)) return false;
  return (
    length >= 9 && (groups.length >= 3 || (groups.length === 2 && (found.startsWith('0') || found.startsWith('('))))
  );
}
