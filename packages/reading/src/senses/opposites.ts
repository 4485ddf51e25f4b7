import { stemOfWritten } from './task-words.js';

/** Limits where a word counts: with the same verb before it ("turn on"), or at the end of a clause. */
export type Counts = 'with its verb' | 'at the end';

export interface Opposites {
  one: readonly string[];
  other: readonly string[];
  /** Two opposed and two equivalent tasks: `[Delete/Keep] the logs`. */
  opposed: string;
  alike: string;
  counts?: Counts;
  /** Nouns that share a stem with one of the words. */
  things?: readonly string[];
  /** Doing one to some means doing the other to the rest: "delete the old", "keep the new". */
  splits?: true;
}

function row(
  one: string,
  other: string,
  opposed: string,
  alike: string,
  more: Pick<Opposites, 'counts' | 'things' | 'splits'> = {},
): Opposites {
  return { one: one.split(', '), other: other.split(', '), opposed, alike, ...more };
}

/** Words in their base form; matched by stem. */
export const opposites: readonly Opposites[] = [
  row(
    'delete, remove, removal, erase, purge, wipe, drop, discard, clear, destroy, trash, löschen, entfernen, supprimer, effacer, borrar, eliminar',
    'keep, kept, retain, preserve, behalten, garder, conserver, conservar',
    '[Delete/Keep] the old logs',
    '[Delete/Removal of] the old logs',
    { splits: true, things: ['garden', 'gardens'] },
  ),
  row(
    'create, add, insert, append, erstellen, anlegen, hinzufügen, créer, ajouter, crear, agregar',
    'delete, remove, erase, purge, wipe, drop, discard, destroy, löschen, entfernen, supprimer, effacer, borrar, eliminar',
    '[Add a user to/Remove a user from] the group',
    '[Delete/Drop] the user',
  ),
  row(
    'start, begin, launch, resume, démarrer, iniciar',
    'stop, end, halt, finish, terminate, kill, pause, suspend, beenden, arrêter, detener',
    '[Start/Stop] the web server',
    '[Stop/Terminate] the web server',
  ),
  row(
    'grant, allow, permit, approve, approval, accept, erlauben, permitir',
    'revoke, deny, denial, block, forbid, refuse, reject, decline, sperren, verbieten',
    '[Allow/Block] traffic on port 443',
    '[Deny/Reject] the request',
  ),
  row(
    'open, reopen, öffnen, ouvrir, abrir',
    'close, shut, schließen, fermer, cerrar',
    '[Open/Close] the ticket',
    '[Open the ticket/The ticket is to be opened]',
  ),
  row(
    'compress, zip, pack, archive, back up, backup',
    'extract, restore',
    '[Compress/Extract] the folder',
    '[Zip/Compress] the folder',
  ),
  row('promote', 'demote', '[Promote/Demote] the replica', '[Promote it/It is to be promoted]'),
  row('push', 'pull, fetch', '[Push/Pull] the branch', '[Pull/Fetch] the branch'),
  row('send, sent', 'receive', 'List [sent/received] mail', '[Send the mail/The mail is to be sent]'),
  row('deposit', 'withdraw', '[Deposit into/Withdraw from] my account', '[Deposit/Make a deposit] into my account'),
  row(
    'raise, increase, extend, grow, erhöhen, augmenter, aumentar',
    'lower, reduce, decrease, shrink, senken, verringern, réduire, reducir',
    '[Raise/Lower] the limit',
    '[Reduce/Decrease] the limit',
  ),
  row(
    'show, shown, display, visible, anzeigen, montrer, mostrar',
    'hide, conceal, ausblenden, cacher, ocultar',
    '[Show/Hide] the side bar',
    '[Show/Display] the side bar',
    { splits: true },
  ),
  row('merge, join, combine', 'split, separate, divide', '[Merge/Split] the files', '[Merge/Combine] the files'),
  row(
    'old, older, oldest, earliest, least recent',
    'new, newer, newest, latest, recent',
    'Print the [oldest/newest] file',
    'Print the [newest/most recent] file',
    { things: ['news'] },
  ),
  row('early, earlier', 'late, later', 'Move it to [an earlier/a later] slot', 'An [early/earlier] slot'),
  row(
    'large, largest, big, biggest, groß, größte, gros, grand, grande',
    'small, smallest, klein, kleinste, petit, pequeño',
    'Find the [largest/smallest] file',
    'Find the [largest/biggest] file',
  ),
  row('long, longest', 'short, shortest', 'Find the [longest/shortest] line', 'Find [long/longer] lines'),
  row(
    'more than, greater than, at least, mindestens, plus de, más de',
    'less than, fewer than, at most, höchstens, moins de, menos de',
    'Files with at [least/most] 3 lines',
    'Files with [at most/no more than] 3 lines',
  ),
  row(
    'most, maximum, max, greatest, high, highest, top',
    'least, minimum, min, fewest, low, lower, lowest, bottom',
    'The city with the [highest/fewest] taxes',
    'Print the [highest/maximum] price',
  ),
  row(
    'cheap, cheapest',
    'expensive',
    'Find the [cheapest/most expensive] flight',
    'Find [the cheapest/a cheap] flight',
  ),
  row('fast, fastest', 'slow, slowest', '[Fast/Slow] queries', '[A fast one/The fastest]'),
  row(
    'first, erste, premier, primero',
    'last, final, letzte, dernier, último',
    'Print the [first/last] 10 lines',
    'Print the [last/final] line',
  ),
  row('next, following', 'previous, preceding', 'Go to the [next/previous] page', 'The [next/following] page'),
  row(
    'ascending, asc, aufsteigend',
    'descending, desc, absteigend',
    'Sort by name [ascending/descending]',
    'Sort by name [desc/in descending order]',
  ),
  row('empty, blank', 'full', '[Empty/Full] cells', '[Empty/Blank] cells'),
  row('exist, present', 'missing, absent', '[Missing/Existing] keys', '[Missing/Absent] keys'),
  row('unique, distinct', 'duplicate, repeated', '[Unique/Duplicate] rows', '[Unique/Distinct] rows'),
  row(
    'pass, succeed, success, successful',
    'fail, failure',
    'List the tests that [pass/fail]',
    'List [failed/failing] tests',
  ),
  row(
    'commit, apply',
    'revert, rollback, roll back, undo',
    '[Apply/Revert] the migration',
    '[Revert/Roll back] the migration',
  ),
  row('buy, purchase', 'sell, sold', '[Buy/Sell] ten shares', '[Buy/Purchase] shares'),
  row('refund', 'charge', '[Refund/Charge] the customer', '[Refund/Reimburse] the customer'),
  row(
    'book, reserve, buchen, reservar',
    'cancel, stornieren, annuler, cancelar',
    '[Book/Cancel] a table',
    'Cancel a [/booking of a] table',
    { things: ['booking', 'bookings', 'reservation', 'reservations'] },
  ),
  row(
    'login, signin, log in, sign in, check in, opt in',
    'logout, signout, log out, log off, sign out, check out, opt out',
    'Log [in/out] at the shop',
    'Test the [login/signin]',
  ),
  row('arrive, arrival', 'depart, departure', 'Sort by [arrival/departure]', '[Trains that arrive/Arriving trains]'),
  row('incoming', 'outgoing', 'Count [incoming/outgoing] calls', 'Count incoming [calls/call]'),
  row('even', 'odd', 'Sum the [even/odd] numbers', 'Sum [/the] even numbers'),
  row('positive', 'negative', '[Positive/Negative] reviews', 'Positive [reviews/review]'),
  row('true', 'false', 'Set it to [true/false]', '[Set it to/Make it] true'),
  row('public', 'private', 'Make it [public/private]', '[Make/Turn] it public'),
  row('used', 'unused', 'List [used/unused] ports', '[Used ports/The used port]'),
  row('local', 'remote', 'List [local/remote] branches', '[Local branches/A local branch]'),
  row('upper, uppercase', 'lower, lowercase', 'In [upper/lower] case', 'In [upper case/uppercase]'),
  row('left', 'right', 'Turn [left/right]', '[Turn/Go] left'),
  row('read only, readonly', 'writable', 'Make it [read-only/writable]', '[Read only/Make it readonly]'),
  row('up', 'down', 'Scale [the service up/down the service]', '[Look up/Write down] the price', {
    counts: 'with its verb',
  }),
  row('on', 'off', 'Turn [on the lamp/the lamp off]', '[Print it on Monday/Take 5 % off today]', {
    counts: 'with its verb',
  }),
  row('an, ein', 'aus, ab', 'Schalte den Dienst [ein/aus]', '[Nimm ein/Lies aus] Blatt', { counts: 'at the end' }),
];

export interface PrefixPair {
  /** Two prefixes that turn the same stem into opposites; one may be empty. */
  one: string;
  other: string;
  /** Shortest stem for this pair; longer for prefixes that start many unrelated words. */
  rest: number;
  opposed: readonly [string, string];
  alike: readonly [string, string];
}

function prefixes(one: string, other: string, rest: number, opposed: string, alike: string): PrefixPair {
  const pairOf = (text: string) => text.split(' ', 2) as [string, string];
  return { one, other, rest, opposed: pairOf(opposed), alike: pairOf(alike) };
}

export const opposingPrefixes: readonly PrefixPair[] = [
  prefixes('', 'un', 3, 'lock unlock', 'it unit'),
  prefixes('', 'dis', 4, 'connect disconnect', 'may dismay'),
  prefixes('', 'non', 4, 'blocking nonblocking', 'e none'),
  prefixes('', 'de', 5, 'activate deactivate', 'sign design'),
  prefixes('', 'des', 5, 'activar desactivar', 'sert dessert'),
  prefixes('', 'in', 5, 'valid invalid', 'side inside'),
  prefixes('', 'im', 5, 'possible impossible', 'age image'),
  prefixes('en', 'de', 3, 'encrypt decrypt', 'end dead'),
  prefixes('en', 'dis', 3, 'enable disable', 'enter display'),
  prefixes('up', 'down', 3, 'upload download', 'update downdrift'),
  prefixes('in', 'out', 3, 'inbound outbound', 'into outage'),
  prefixes('in', 'ex', 4, 'internal external', 'int ext'),
  prefixes('im', 'ex', 4, 'import export', 'imply explain'),
  prefixes('in', 'de', 4, 'increment decrement', 'inert desert'),
  prefixes('at', 'de', 4, 'attach detach', 'at de'),
  prefixes('ein', 'aus', 4, 'einschalten ausschalten', 'einfach ausdruck'),
  prefixes('an', 'ab', 4, 'anmelden abmelden', 'antwort abend'),
];

export type Side = 'one' | 'other';
export interface Sense {
  row: number;
  side: Side;
}

/** By stem; two-word entries are joined by a space. */
const senses = new Map<string, Sense[]>();
opposites.forEach(({ one, other }, at) => {
  for (const word of one) addSense(word, { row: at, side: 'one' });
  for (const word of other) addSense(word, { row: at, side: 'other' });
});

function addSense(words: string, sense: Sense): void {
  const key = words.split(' ').map(stemOfWritten).join(' ');
  const known = senses.get(key) ?? [];
  if (!known.some(({ row: at, side }) => at === sense.row && side === sense.side)) known.push(sense);
  senses.set(key, known);
}

export function sensesOfStem(stem: string): readonly Sense[] {
  return senses.get(stem) ?? [];
}

export function otherSide(side: Side): Side {
  return side === 'one' ? 'other' : 'one';
}

/** Candidate opposites of a stem by prefix, whether or not they are real words. */
export function oppositesByPrefix(stem: string): string[] {
  const found: string[] = [];
  for (const { one, other, rest } of opposingPrefixes) {
    if (stem.startsWith(one) && stem.length - one.length >= rest) found.push(other + stem.slice(one.length));
    if (stem.startsWith(other) && stem.length - other.length >= rest) found.push(one + stem.slice(other.length));
  }
  return found;
}

export function hasSense(word: string): boolean {
  return senses.has(stemOfWritten(word));
}
