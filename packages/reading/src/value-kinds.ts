import { monthOf } from './dates.js';

export const valueKinds = ['id', 'email', 'name', 'date', 'phone', 'amount', 'address', 'text'] as const;
export type ValueKind = (typeof valueKinds)[number];

/** What identifies somebody or one case by its form. */
export interface ValueRow {
  kind: ValueKind;
  pattern: RegExp;
  /** What the form alone does not tell. */
  check?: (found: string) => boolean;
  /** In commands, queries and code as well: it belongs to a person wherever it stands. */
  everywhere?: true;
  /** Is found as a whole. */
  example: string;
  /** Holds none. */
  not: string;
}

const currency = '(?:EUR|USD|GBP|CHF|JPY|CNY|CAD|AUD|INR|BRL|MXN)';
const number = '\\d(?:[\\d.,]{0,18}\\d)?';

export const valueRows: readonly ValueRow[] = [
  {
    kind: 'email',
    pattern:
      /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,4}\.\p{L}{2,24}(?![\p{L}\p{N}-]|\.[\p{L}\p{N}]|:[\w/~])/gu,
    everywhere: true,
    example: 'ada.marlow+x@mail.example.org',
    not: 'git@code.example.org:team/app.git and left-pad@1.3.0 and @scope/name',
  },
  {
    kind: 'id',
    pattern: /(?<![\w-])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w-])/gi,
    everywhere: true,
    example: '3f2b8c1e-9d4a-4c7b-8e21-0a1b2c3d4e5f',
    not: '3f2b8c1e-9d4a-4c7b',
  },
  {
    kind: 'id',
    pattern: /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?(?![\p{L}\p{N}])/gu,
    check: isIban,
    everywhere: true,
    example: 'DE89 3704 0044 0532 0130 00',
    not: 'DE89 WITH SOME MORE TEXT',
  },
  {
    kind: 'id',
    pattern: /(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-])/g,
    check: isCardNumber,
    everywhere: true,
    example: '4111 1111 1111 1111',
    not: '1 2 3 4 5 6 7 8 9 1 2 3 4 5',
  },
  {
    kind: 'date',
    pattern:
      /(?<![\w./-])\d{4}([-/])\d{1,2}\1\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\w/])/g,
    example: '2026-03-05T14:30:00Z',
    not: '/backups/2026-03-05/all.tar and 1.2.3',
  },
  {
    kind: 'date',
    pattern: /(?<![\w./-])\d{1,2}([./])\d{1,2}\1(?:\d{4}|\d{2})(?![\w./])/g,
    check: (found) => /\d{4}$/.test(found) || found.includes('/'),
    example: '24.12.2026',
    not: '10.2.14 and 192.168.1.1',
  },
  {
    kind: 'date',
    pattern:
      /(?<![\p{L}\p{N}])(\p{L}{3,10})\.? \d{1,2}(?:st|nd|rd|th)?(?:(?:,| of)? (?:19|20)\d{2})?(?![\p{L}\p{N}:]|[.,]\d)/gu,
    check: (found) => isMonthWord(found.split(/[ .]/)[0] ?? '', found),
    example: 'May 20th, 2026',
    not: 'step 20 may 5 files',
  },
  {
    kind: 'date',
    pattern:
      /(?<![\p{L}\p{N}])\d{1,2}(?:st|nd|rd|th|er|\.|º)? (?:of |de )?(\p{L}{3,10})(?![\p{L}])\.?(?:,? (?:de )?(?:19|20)\d{2})?(?!\d)/gu,
    check: (found) => found.split(/[ .]+/).some((word) => isMonthWord(word, found)),
    example: '3. März 2026',
    not: '3 files and 20 people',
  },
  {
    kind: 'date',
    pattern: /\d{2,4}年\d{1,2}月\d{1,2}日/g,
    example: '2026年3月5日',
    not: '3月',
  },
  {
    kind: 'amount',
    pattern: new RegExp(`(?<![\\w$])(?:[$€£¥₹₩₽]|${currency}) ?${number}(?![\\w}'"])`, 'g'),
    example: '$1,249.90',
    not: "awk '{print $1}'",
  },
  {
    kind: 'amount',
    pattern: new RegExp(
      `(?<![\\w.,])${number} ?(?:[€£¥₹円元]|(?:${currency}|euros?|dollars?|pounds|francs?|pesos|yen|Euro)(?![\\p{L}]))`,
      'gu',
    ),
    example: '49,90 €',
    not: '49 eurobonds and 3 files',
  },
  {
    kind: 'address',
    pattern: /(?<![\w.])-?\d{1,3}\.\d{3,12}°?(?: ?[NS])?[,;] ?-?\d{1,3}\.\d{3,12}(?![\w.])/g,
    example: '52.52031, 13.40495',
    not: '1.5, 2.25',
  },
  {
    kind: 'address',
    pattern:
      /(?<![\p{L}\p{N}])\d{1,5}[a-z]? (?:\p{Lu}[\p{L}.'’-]{0,24} ){1,4}(?:Street|St|Avenue|Ave|Road|Rd|Drive|Dr|Lane|Ln|Boulevard|Blvd|Court|Ct|Way|Place|Square|Terrace|Highway|Parkway|Circle|Crescent|Close)(?![\p{L}])\.?/gu,
    everywhere: true,
    example: '12 Old Mill Lane',
    not: '3 Docker Images on the Way',
  },
  {
    kind: 'address',
    pattern:
      /(?<![\p{L}\p{N}])(?:Suite|Apt|Apartment|Unit|Wohnung|Appartement)\.? #?\d{1,5}[A-Za-z]?(?![\p{L}\p{N}])/gu,
    example: 'Apt. 7B',
    not: 'the unit tests of 12',
  },
  {
    kind: 'address',
    pattern:
      /(?<![\p{L}\p{N}])\p{Lu}[\p{L}-]{1,30}(?:straße|strasse|str\.|weg|platz|allee|gasse|damm|ufer) \d{1,4}[a-z]?(?![\p{L}\p{N}])/gu,
    everywhere: true,
    example: 'Lindenstraße 12a',
    not: 'Umweg über 12',
  },
  {
    kind: 'address',
    pattern:
      /(?<![\p{L}\p{N}])(?:\d{1,4},? )?(?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Cc]hemin|[Qq]uai|[Cc]alle|[Aa]venida|[Pp]laza|[Pp]aseo|[Vv]iale|[Pp]iazza|[Rr]ua)(?: (?:de|la|le|les|des|du|del|los|las|d|l)){0,3}['’ ]{1,2}\p{Lu}[\p{L}'’-]{1,30}(?: \p{Lu}[\p{L}'’-]{1,30}){0,2}(?:,? \d{1,4})?(?![\p{L}\p{N}])/gu,
    check: (found) => /\d/.test(found),
    everywhere: true,
    example: '7 rue de la Gare',
    not: 'la rue est longue',
  },
  {
    kind: 'address',
    pattern:
      /(?<![\p{L}\p{N}])(?:\p{Lu}[\p{L}.'’-]{1,24}(?: \p{Lu}[\p{L}.'’-]{1,24}){0,2}, )?(?:[A-Z]{2} \d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})(?![\p{L}\p{N}])/gu,
    example: 'Elmwood, TX 00501',
    not: 'HTTP 40400',
  },
  {
    kind: 'phone',
    pattern: /(?<![\w.+/-])\+?\(?\d{1,4}\)?(?:[ ./-]?\(?\d{2,4}\)?){2,5}(?![\w/-]|\.\d)/g,
    check: isPhoneNumber,
    everywhere: true,
    example: '+44 20 7946 0018',
    not: '192.168.100.200, 1 000 000 000, 10-20, 0123456789, 27/03/2012 19',
  },
  {
    kind: 'name',
    pattern: /(?<![\p{L}\p{N}/._-])@\p{L}[\p{L}\p{N}_]{2,30}(?![\p{L}\p{N}_]|[.@]\p{L}|[/(])/gu,
    example: '@ada_marlow',
    not: '@scope/name and x@y',
  },
  {
    kind: 'name',
    pattern: /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]{1,5}(?=さん|様|先生|女士|氏|님|씨)/gu,
    example: '田中',
    not: '権限がありません',
  },
];

function isMonthWord(word: string, found: string): boolean {
  if (monthOf(word) === undefined) return false;
  // "may 5 files", "mar 3": in lower case these are other words, unless a year or an ending says which.
  return !/^(?:may|mar|march)$/.test(word) || /\d{4}|\d(?:st|nd|rd|th)/.test(found);
}

function isIban(found: string): boolean {
  const compact = found.replaceAll(' ', '');
  if (compact.length < 15 || compact.length > 34) return false;
  let rest = 0;
  for (const sign of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** The last digit of a card's number checks the others. */
function isCardNumber(found: string): boolean {
  const digits = [...found.replace(/\D/g, '')].reverse().map(Number);
  const sum = digits.reduce((total, digit, at) => {
    const counted = at % 2 === 0 ? digit : digit * 2;
    return total + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return sum % 10 === 0 && new Set(digits).size > 1;
}

function isPhoneNumber(found: string): boolean {
  const groups = found.match(/\d+/g) ?? [];
  const digits = groups.join('').length;
  if (digits < 8 || digits > 15 || /\d([./-])\d{1,2}\1\d{4}|\d{4}-\d{1,2}-\d{1,2}(?!\d)/.test(found)) return false;
  if (found.startsWith('+')) return true;
  // Thousands, addresses of machines, ranges of years.
  const isGrouped = /[ .]/.test(found) && !/[-(/]/.test(found) && groups.slice(1).every(({ length }) => length === 3);
  if (isGrouped || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(found)) return false;
  return digits >= 9 && (groups.length >= 3 || (groups.length === 2 && /^[0(]/.test(found)));
}
