import { rootOfWritten } from './task-words.js';

/** Where a word counts: only with the same word before it ("turn on"), only before a number, only where a clause ends. */
export type Counts = 'with its verb' | 'before a number' | 'at the end';

export interface Opposites {
  one: readonly string[];
  other: readonly string[];
  counts?: Counts;
  /** Words that look like one of these and name a thing. */
  things?: readonly string[];
  /** To do one with a part is to do the other with the rest: "delete the old", "keep the new". */
  splits?: true;
  opposed: readonly [string, string];
  alike: readonly [string, string];
}

function row(
  one: string,
  other: string,
  opposed: readonly [string, string],
  alike: readonly [string, string],
  more: Pick<Opposites, 'counts' | 'things' | 'splits'> = {},
): Opposites {
  return { one: one.split(', '), other: other.split(', '), opposed, alike, ...more };
}

/** Of every language the words in their base form; endings are seen through. */
export const opposites: readonly Opposites[] = [
  row(
    'delete, remove, removal, erase, purge, wipe, drop, discard, clear, destroy, trash, löschen, entfernen, supprimer, effacer, borrar, eliminar',
    'keep, kept, retain, preserve, behalten, garder, conserver, conservar',
    ['Delete the old logs', 'Keep the old logs'],
    ['Delete the old logs', 'Removal of the old logs'],
    { splits: true },
  ),
  row(
    'create, add, insert, append, erstellen, anlegen, hinzufügen, créer, ajouter, crear, agregar, añadir',
    'delete, remove, erase, purge, wipe, drop, discard, destroy, löschen, entfernen, supprimer, effacer, borrar, eliminar',
    ['Add a user to the group', 'Remove a user from the group'],
    ['Delete the user', 'Drop the user'],
  ),
  row(
    'start, begin, launch, resume, démarrer, iniciar',
    'stop, end, halt, finish, terminate, kill, pause, suspend, beenden, arrêter, detener',
    ['Start the web server', 'Stop the web server'],
    ['Stop the web server', 'Terminate the web server'],
  ),
  row(
    'grant, allow, permit, approve, approval, accept, erlauben, autoriser, permitir',
    'revoke, deny, denial, block, forbid, refuse, reject, decline, prohibit, ban, sperren, verbieten, bloquer, bloquear',
    ['Allow traffic on port 443', 'Block traffic on port 443'],
    ['Deny the request', 'Reject the request'],
  ),
  row(
    'open, reopen, öffnen, ouvrir, abrir',
    'close, shut, schließen, fermer, cerrar',
    ['Open the ticket', 'Close the ticket'],
    ['Open the ticket', 'The ticket is to be opened'],
  ),
  row(
    'compress, zip, pack, archive, back up, backup',
    'extract, restore',
    ['Compress the folder', 'Extract the folder'],
    ['Zip the folder', 'Compress the folder'],
  ),
  row('push', 'pull, fetch', ['Push the branch', 'Pull the branch'], ['Pull the branch', 'Fetch the branch']),
  row('send, sent', 'receive', ['List sent mail', 'List received mail'], ['Send the mail', 'The mail is to be sent']),
  row(
    'deposit',
    'withdraw',
    ['Deposit into my account', 'Withdraw from my account'],
    ['Deposit into my account', 'Make a deposit into my account'],
  ),
  row(
    'raise, increase, extend, enlarge, grow, erhöhen, augmenter, aumentar',
    'lower, reduce, decrease, shrink, shorten, senken, verringern, réduire, reducir',
    ['Raise the limit', 'Lower the limit'],
    ['Reduce the limit', 'Decrease the limit'],
  ),
  row(
    'show, shown, display, reveal, visible, anzeigen, montrer, mostrar',
    'hide, conceal, ausblenden, cacher, ocultar',
    ['Show the side bar', 'Hide the side bar'],
    ['Show the side bar', 'Display the side bar'],
    { splits: true },
  ),
  row(
    'merge, join, combine, concatenate',
    'split, separate, divide',
    ['Merge the files', 'Split the files'],
    ['Merge the files', 'Combine the files'],
  ),
  row(
    'old, older, oldest, earliest, least recent',
    'new, newer, newest, latest, recent, most recent, more recent',
    ['Print the oldest file', 'Print the newest file'],
    ['Print the newest file', 'Print the most recent file'],
  ),
  row(
    'early, earlier',
    'late, later',
    ['Move it to an earlier slot', 'Move it to a later slot'],
    ['An early slot', 'An earlier slot'],
  ),
  row(
    'large, largest, big, biggest',
    'small, smallest, tiny',
    ['Find the largest file', 'Find the smallest file'],
    ['Find the largest file', 'Find the biggest file'],
  ),
  row(
    'long, longest',
    'short, shortest',
    ['Find the longest line', 'Find the shortest line'],
    ['Find long lines', 'Find longer lines'],
  ),
  row(
    'more than, greater than, at least, mindestens, plus de, más de',
    'less than, fewer than, at most, höchstens, moins de, menos de',
    ['Files with at least 3 lines', 'Files with at most 3 lines'],
    ['Files with at most 3 lines', 'Files with no more than 3 lines'],
  ),
  row(
    'above, over, exceeding, beyond',
    'below, under, within, up to',
    ['Orders over $50', 'Orders under $50'],
    ['Find it under the folder', 'Go over the folder'],
    { counts: 'before a number' },
  ),
  row(
    'before, until, prior to, vor, avant, antes',
    'after, since, nach, après, después',
    ['Orders from before 2024', 'Orders from after 2024'],
    ['Sort before printing', 'Print after sorting'],
    { counts: 'before a number' },
  ),
  row(
    'most, maximum, maximal, max, greatest',
    'least, minimum, minimal, min, fewest',
    ['The city with the most trees', 'The city with the fewest trees'],
    ['The maximum price', 'The max price'],
  ),
  row(
    'high, highest, top',
    'low, lower, lowest, bottom',
    ['Print the highest price', 'Print the lowest price'],
    ['Print the highest price', 'Print the top price'],
  ),
  row(
    'cheap, cheapest',
    'expensive, costly',
    ['Find the cheapest flight', 'Find the most expensive flight'],
    ['Find the cheapest flight', 'Find a cheap flight'],
  ),
  row('fast, fastest', 'slow, slowest', ['Fast queries', 'Slow queries'], ['A fast one', 'The fastest']),
  row(
    'first, erste, premier, primero',
    'last, final, letzte, dernier, último',
    ['Print the first 10 lines', 'Print the last 10 lines'],
    ['Print the last line', 'Print the final line'],
  ),
  row(
    'next, following',
    'previous, preceding',
    ['Go to the next page', 'Go to the previous page'],
    ['The next page', 'The following page'],
  ),
  row(
    'ascending, asc, aufsteigend',
    'descending, desc, absteigend',
    ['Sort by name ascending', 'Sort by name descending'],
    ['Sort by name desc', 'Sort by name in descending order'],
  ),
  row('forward', 'backward', ['Move it forward', 'Move it backward'], ['Go forward', 'Go forwards']),
  row('empty, blank', 'full, nonempty', ['Empty cells', 'Full cells'], ['Empty cells', 'Blank cells']),
  row('exist, present', 'missing, absent', ['Missing keys', 'Existing keys'], ['Missing keys', 'Absent keys']),
  row('unique, distinct', 'duplicate, repeated', ['Unique rows', 'Duplicate rows'], ['Unique rows', 'Distinct rows']),
  row(
    'pass, succeed, success, successful',
    'fail, failure',
    ['List the tests that pass', 'List the tests that fail'],
    ['List failed tests', 'List failing tests'],
  ),
  row(
    'commit, apply',
    'revert, rollback, roll back, undo',
    ['Apply the migration', 'Revert the migration'],
    ['Revert the migration', 'Roll back the migration'],
  ),
  row('buy, bought, purchase', 'sell, sold', ['Buy ten shares', 'Sell ten shares'], ['Buy shares', 'Purchase shares']),
  row(
    'refund, reimburse',
    'charge, bill',
    ['Refund the customer', 'Charge the customer'],
    ['Refund the customer', 'Reimburse the customer'],
  ),
  row(
    'book, reserve, buchen, reservar',
    'cancel, stornieren, annuler, cancelar',
    ['Book a table', 'Cancel a table'],
    ['Cancel a table', 'Cancel a booking of a table'],
    { things: ['booking', 'bookings', 'reservation', 'reservations'] },
  ),
  row('hire', 'fire, dismiss', ['Hire a clerk', 'Fire a clerk'], ['Fire a clerk', 'Dismiss a clerk']),
  row('promote', 'demote', ['Promote the replica', 'Demote the replica'], ['Promote it', 'It is to be promoted']),
  row(
    'expand',
    'collapse',
    ['Expand the section', 'Collapse the section'],
    ['Expand the section', 'Expand the sections'],
  ),
  row('enter', 'exit, leave', ['Enter the room', 'Leave the room'], ['Exit the room', 'Leave the room']),
  row(
    'login, signin, log in, sign in, check in, opt in, zoom in',
    'logout, signout, log out, log off, sign out, check out, opt out, zoom out',
    ['Log in at the shop', 'Log out at the shop'],
    ['Test the login', 'Test the signin'],
  ),
  row(
    'arrive, arrival',
    'depart, departure',
    ['Sort by arrival', 'Sort by departure'],
    ['Trains that arrive', 'Arriving trains'],
  ),
  row(
    'incoming',
    'outgoing',
    ['Count incoming calls', 'Count outgoing calls'],
    ['Count incoming calls', 'Count incoming call'],
  ),
  row('win, won', 'lose, lost', ['Games that they won', 'Games that they lost'], ['Games they won', 'Games they win']),
  row('even', 'odd', ['Sum the even numbers', 'Sum the odd numbers'], ['Sum even numbers', 'Sum the even numbers']),
  row('positive', 'negative', ['Positive reviews', 'Negative reviews'], ['Positive reviews', 'Positive review']),
  row('true', 'false', ['Set it to true', 'Set it to false'], ['Set it to true', 'Make it true']),
  row('public', 'private', ['Make it public', 'Make it private'], ['Make it public', 'Turn it public']),
  row('used', 'unused', ['List used ports', 'List unused ports'], ['Used ports', 'The used port']),
  row('local', 'remote', ['List local branches', 'List remote branches'], ['Local branches', 'A local branch']),
  row('upper, uppercase', 'lower, lowercase', ['In upper case', 'In lower case'], ['In upper case', 'In uppercase']),
  row('left', 'right', ['Turn left', 'Turn right'], ['Turn left', 'Go left']),
  row('light', 'dark', ['Use the light theme', 'Use the dark theme'], ['Use the light theme', 'A light theme']),
  row('heat, warm, hot', 'cool, cold', ['Heat the room', 'Cool the room'], ['Heat the room', 'Warm the room']),
  row('read only, readonly', 'writable', ['Make it read-only', 'Make it writable'], ['Read only', 'Make it readonly']),
  row('up', 'down', ['Scale the service up', 'Scale down the service'], ['Look up the price', 'Write down the price'], {
    counts: 'with its verb',
  }),
  row('on', 'off', ['Turn on the lamp', 'Turn the lamp off'], ['Print it on Monday', 'Take 5 % off today'], {
    counts: 'with its verb',
  }),
  row(
    'an, ein',
    'aus, ab',
    ['Schalte den Dienst ein', 'Schalte den Dienst aus'],
    ['Nimm ein Blatt', 'Lies aus Blatt'],
    {
      counts: 'at the end',
    },
  ),
];

export interface PrefixPair {
  /** Two beginnings that make opposites of one rest; one may be empty. */
  one: string;
  other: string;
  /** The shortest rest: "able" for one pair, longer ones where the beginning is part of many words. */
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
  prefixes('', 'ir', 5, 'regular irregular', 'on iron'),
  prefixes('', 'il', 5, 'legal illegal', 'l ill'),
  prefixes('en', 'de', 3, 'encrypt decrypt', 'end dead'),
  prefixes('en', 'dis', 3, 'enable disable', 'enter display'),
  prefixes('up', 'down', 3, 'upload download', 'update downdrift'),
  prefixes('in', 'out', 3, 'inbound outbound', 'into outage'),
  prefixes('in', 'ex', 4, 'internal external', 'int ext'),
  prefixes('im', 'ex', 4, 'import export', 'imply explain'),
  prefixes('in', 'de', 4, 'increment decrement', 'inert desert'),
  prefixes('at', 'de', 4, 'attach detach', 'at de'),
  prefixes('over', 'under', 3, 'overflow underflow', 'overall undergo'),
  prefixes('pre', 'post', 3, 'prefix postfix', 'present postal'),
  prefixes('ein', 'aus', 4, 'einschalten ausschalten', 'einfach ausdruck'),
  prefixes('an', 'ab', 4, 'anmelden abmelden', 'antwort abend'),
];

export type Side = 'one' | 'other';
export interface Sense {
  row: number;
  side: Side;
}

/** By root; two words that belong together stand with a space between. */
const senses = new Map<string, Sense[]>();
opposites.forEach(({ one, other }, at) => {
  for (const word of one) addSense(word, { row: at, side: 'one' });
  for (const word of other) addSense(word, { row: at, side: 'other' });
});

function addSense(words: string, sense: Sense): void {
  const key = words.split(' ').map(rootOfWritten).join(' ');
  const known = senses.get(key) ?? [];
  if (!known.some(({ row: at, side }) => at === sense.row && side === sense.side)) known.push(sense);
  senses.set(key, known);
}

/** The senses of a root, or of two with a space between. */
export function sensesOfRoot(root: string): readonly Sense[] {
  return senses.get(root) ?? [];
}

export function otherSide(side: Side): Side {
  return side === 'one' ? 'other' : 'one';
}

/** The words, whether there are such or not, that would be opposites of a root by their beginning. */
export function oppositesByPrefix(root: string): string[] {
  const found: string[] = [];
  for (const { one, other, rest } of opposingPrefixes) {
    if (root.startsWith(one) && root.length - one.length >= rest) found.push(other + root.slice(one.length));
    if (root.startsWith(other) && root.length - other.length >= rest) found.push(one + root.slice(other.length));
  }
  return found;
}

/** Whether a word, as a person writes it, stands in the table. */
export function hasSense(word: string): boolean {
  return senses.has(rootOfWritten(word));
}
