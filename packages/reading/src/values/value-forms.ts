import { dateInDigits, dateInWords, datesIn } from './dates.js';
import {
  capitals,
  digits,
  isCapitalised,
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
  word,
} from './tokens.js';

export type ValueKind = 'id' | 'email' | 'name' | 'date' | 'phone' | 'amount' | 'address' | 'text' | 'number';

export interface FoundValue {
  kind: ValueKind;
  from: number;
  to: number;
}

/** `neverAfter` and `neverBefore`: adjacent characters that make the match part of something else. */
type Form = readonly [kind: ValueKind, rule: Rule, neverAfter?: string, neverBefore?: string];

const number = digits(1, 20);
const figure = sequence(number, repeated(sequence(text('. ,'), number), 0, 8));
const decimal = sequence(maybe(text('-')), digits(1, 3), text('.'), digits(3, 12));
const currencies = 'EUR USD GBP CHF JPY CNY CAD AUD INR BRL MXN € £ ¥ ₹';
const currencyWords = 'euro euros Euro dollar dollars pounds francs pesos yen';
const house = sequence(digits(1, 5), maybe(one(({ type, text: { length } }) => type === 'word' && length === 1)));
/** "Gare", "d’Or" */
const nameOfPlace = one(({ type, text: found }) => type === 'word' && found !== found.toLowerCase());
const moreNames = (fewest: number, most: number) =>
  repeated(sequence(maybe(text('.')), space, nameOfPlace), fewest, most);
const city = sequence(nameOfPlace, moreNames(0, 2), text(','), space);
const streets =
  'Street St Avenue Ave Road Rd Drive Dr Lane Ln Boulevard Blvd Court Ct Way Place Square Terrace Highway Close'.split(
    ' ',
  );
const germanStreets = 'straße strasse str weg platz allee gasse'.split(' ');
const romanceStreets = 'rue avenue boulevard calle avenida plaza via piazza'.split(' ');
const germanStreet = one(
  ({ text: found }) => isCapitalised(found) && germanStreets.some((ending) => found.endsWith(ending)),
);
const romanceStreet = sequence(
  one(({ text: found }) => romanceStreets.includes(found.toLowerCase())),
  repeated(sequence(space, text('de la le les des du del los las')), 0, 3),
  moreNames(1, 3),
);

/** Personal data in any text, including commands, queries and code. */
const personalForms: readonly Form[] = [
  // DE89 3704 0044 0532 0130 00 and 4111 1111 1111 1111
  ['id', sequence(capitals(2), digits(2), space, maybe(sequence(capitals(4), space)), groups(isAccountNumber))],
  ['id', sequence(capitals(2), maybe(sequence(digits(2), capitals(4))), digits(10, 30))],
  ['id', groups(isAccountNumber), '-', '-'],
  // 12 Old Mill Lane, Lindenstraße 12a, 7 rue de la Gare, Calle Mayor 5
  ['address', numberedStreet],
  ['address', sequence(germanStreet, maybe(text('.')), space, house)],
  ['address', sequence(number, maybe(text(',')), space, romanceStreet)],
  ['address', sequence(romanceStreet, maybe(text(',')), space, number)],
  ['phone', groups(isPhoneNumber), '+/-', '/-'],
];

/** Searched for in prose only: in code these are ambiguous. */
const proseForms: readonly Form[] = [
  ['date', (tokens, at) => dateInDigits(tokens, at)?.to ?? -1, '/-', '/'],
  ['date', (tokens, at) => dateInWords(tokens, at)?.to ?? -1],
  // $1,249.90, but not the $1 of awk
  ['amount', sequence(text(`$ ₩ ₽ ${currencies}`), maybe(space), figure), '$', '}'],
  ['amount', sequence(figure, maybe(space), text(`${currencies} ${currencyWords}`)), ','],
  // 52.52031, 13.40495
  ['address', sequence(decimal, text(', ;'), maybe(space), decimal)],
  // Apt. 7B
  ['address', sequence(text('Suite Apt Apartment Unit Wohnung'), maybe(text('.')), space, maybe(text('#')), house)],
  // Elmwood, TX 00501-1234 and SW1A 1AA
  ['address', sequence(maybe(city), capitals(2), space, digits(5), maybe(sequence(text('-'), digits(4))))],
  ['address', sequence(capitals(1, 2), digits(1, 2), maybe(capitals(1)), space, digits(1), capitals(2))],
  // @ada_marlow
  ['name', sequence(text('@'), word, repeated(one(isWordPart), 0, 9)), '/-', '/(@'],
];

const caseForm: Form = ['id', caseNumber];

/** Values recognised by their form, or by a word before them. */
export function formsIn(tokens: Tokens, isCode: boolean): FoundValue[] {
  const starts = [...tokens.keys()].filter((at) => !continuesAt(tokens, at - 1, -1));
  const forms = isCode ? personalForms : [...proseForms, ...personalForms, caseForm];
  return forms.flatMap(([kind, rule, neverAfter = '', neverBefore = '']) => {
    const found: FoundValue[] = [];
    for (const at of starts) {
      const to = isOneOf(tokenAt(tokens, at - 1), neverAfter) ? -1 : rule(tokens, at);
      if (to > at && !continuesAt(tokens, to, 1) && !isOneOf(tokenAt(tokens, to), neverBefore))
        found.push({ kind, from: tokenAt(tokens, at).from, to: tokenAt(tokens, to - 1).to });
    }
    return found;
  });
}

function isOneOf({ text: sign }: Token, signs: string): boolean {
  return sign !== '' && signs.includes(sign);
}

function isWordPart({ type, text: found }: Token): boolean {
  return type === 'word' || type === 'number' || found === '_';
}

/** Whether a longer word, file name, version or time continues here. */
function continuesAt(tokens: Tokens, at: number, step: 1 | -1): boolean {
  const [next, beyond] = [tokenAt(tokens, at), tokenAt(tokens, at + step)];
  return (
    isWordPart(next) || (next.text === '.' && isWordPart(beyond)) || (next.text === ':' && beyond.type === 'number')
  );
}

const houseAndNames = sequence(house, moreNames(2, 5));

/** House number, at least one name, type of street. */
function numberedStreet(tokens: Tokens, at: number): number {
  let to = houseAndNames(tokens, at);
  while (to > at && !streets.includes(tokenAt(tokens, to - 1).text)) to--;
  return to >= at + 5 ? to : -1;
}

const mostGroups = 7;
/** Separators included. */
const mostTokens = 4 * mostGroups;

/** The longest run of digit groups that passes the test, with one separator or brackets between groups. */
function groups(isOne: (groups: readonly string[], written: string) => boolean): Rule {
  return (tokens, at) => {
    const found: string[] = [];
    let written = '';
    let longest = -1;
    let isBehindGroup = false;
    for (let place = at; found.length < mostGroups && place < at + mostTokens; place++) {
      const { type, text: part } = tokenAt(tokens, place);
      if (type === 'number') found.push(part);
      else if (part !== '(' && (isBehindGroup ? !' ./-)'.includes(part) || part === '' : place > at || part !== '+'))
        break;
      written += part;
      isBehindGroup = type === 'number' || part === ')';
      if (type === 'number' && !continuesAt(tokens, place + 1, 1) && isOne(found, written)) longest = place + 1;
    }
    return longest;
  };
}

/** Card or bank account number. */
function isAccountNumber(found: readonly string[], written: string): boolean {
  const { length } = found.join('');
  const isGrouped = /^\d{4,6}[ -]\d{4,6}[ -]\d{4,6}/.test(written);
  // Digits starting with a year are a timestamp.
  return length >= 13 && length <= 30 && (isGrouped || (found.length === 1 && !/^(?:19|20)/.test(written)));
}

function isPhoneNumber(found: readonly string[], written: string): boolean {
  const { length } = found.join('');
  const others = found.slice(1);
  if (length < 8 || length > 15 || datesIn(written).size > 0) return false;
  if (written.startsWith('+')) return true;
  // Thousands separators and IP addresses.
  const isGrouped = others.every((group) => group.length === 3) || written.split('.').length === 4;
  if ((isGrouped && !/[-(/]/.test(written)) || others.some((group) => group.length < 2)) return false;
  return length >= 9 && (others.length > 1 || (others.length === 1 && /^[0(]/.test(written)));
}

/** Words followed by a case number, however short; after `bookings` it may be all letters. */
const cases = (
  'order invoice account customer card case passport member membership policy user username login ' +
  'bestellung rechnung kunde buchung commande facture pedido factura'
).split(' ');
const bookings = 'reservation booking confirmation ticket flight tracking reference'.split(' ');
const caseNumberPhrases = ['ending in', 'ending with', 'last four'];
const beforeNumber = new Set([
  ...[' ', '.', ':', ',', '=', '#', '"', "'", '*', '('],
  ...'with the name number no nr id code numéro nummer is'.split(' '),
]);
const code = sequence(one(isWordPart), repeated(sequence(maybe(text('. -')), one(isWordPart)), 0, 20));

/** "order number 815", "card ending in 7447", "booking: HXDUBJ" */
function caseNumber(tokens: Tokens, at: number): number {
  const lower = (place: number) => tokenAt(tokens, place).text.toLowerCase();
  const isPhrase = (place: number) => caseNumberPhrases.includes(`${lower(place - 2)} ${lower(place)}`);
  let noun = at - 1;
  while (noun > at - 10 && beforeNumber.has(lower(noun)) && !isPhrase(noun)) noun--;
  const isBooking = bookings.includes(lower(noun));
  if (noun === at - 1 || lower(noun - 1) === '_' || !(isBooking || cases.includes(lower(noun)) || isPhrase(noun)))
    return -1;
  const to = code(tokens, at);
  const value = tokens.slice(at, to).reduce((all, token) => all + token.text, '');
  return /\d\D|\D\d|\d{3}/.test(value) || (isBooking && /^[A-Z]{5,7}$/.test(value)) ? to : -1;
}
