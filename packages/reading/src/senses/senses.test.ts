import { exceptionRows } from './exceptions.js';
import { opposingPrefixes, opposites } from './opposites.js';
import { readSenses } from './sense-reading.js';
import { compareReadings, compareSenses } from './senses.js';

function bothWays(a: string, b: string): string {
  const [there, back] = [compareSenses(a, b), compareSenses(b, a)];
  return there === back ? there : `${there}, but ${back} the other way round`;
}

/** `[Delete/Keep] the logs` is “Delete the logs” and “Keep the logs”. */
function twoOf(example: string): [string, string] {
  const [before = '', one = '', other = '', after = ''] = example.split(/[[/\]]/);
  return [before + one + after, before + other + after];
}

describe('the tables of senses', () => {
  it.each(opposites.map(({ opposed }) => twoOf(opposed)))('%j is opposed to %j', (a, b) => {
    expect(bothWays(a, b)).toBe('opposed');
  });

  it.each(opposites.map(({ alike }) => twoOf(alike)))('%j agrees with %j', (a, b) => {
    expect(bothWays(a, b)).toBe('agree');
  });

  it.each(opposingPrefixes.map(({ opposed, alike }) => [...opposed, ...alike] as const))(
    '"%s" is opposed to "%s" by its beginning, "%s" is not to "%s"',
    (a, b, c, d) => {
      expect(bothWays(`Please ${a} the device`, `Please ${b} the device`)).toBe('opposed');
      expect(bothWays(`Please ${c} the device`, `Please ${d} the device`)).toBe('agree');
    },
  );

  it.each(exceptionRows.map(({ example, differs, alike }) => [example, differs, alike] as const))(
    '%j leaves out what %j is about, and so does %j',
    (example, differs, alike) => {
      expect(bothWays(example, differs)).toBe('excepts');
      expect(bothWays(example, alike)).toBe('agree');
    },
  );
});

/** Each word of the table with one of the other side. */
const pairs = `
shown/hide visible/hide discard/keep create/discard check_in/logout opt_in/logout login/check_out login/opt_out
delete/keep remove/keep removal/keep erase/keep purge/keep wipe/keep drop/keep clear/keep destroy/keep trash/keep löschen/keep
entfernen/keep supprimer/keep effacer/keep borrar/keep eliminar/keep delete/kept delete/retain delete/preserve delete/behalten
delete/garder delete/conserver delete/conservar create/delete add/delete insert/delete append/delete erstellen/delete
anlegen/delete hinzufügen/delete créer/delete ajouter/delete crear/delete agregar/delete create/remove create/erase create/purge
create/wipe create/drop create/destroy create/löschen create/entfernen create/supprimer create/effacer create/borrar
create/eliminar start/stop begin/stop launch/stop resume/stop démarrer/stop iniciar/stop start/end start/halt start/finish
start/terminate start/kill start/pause start/suspend start/beenden start/arrêter start/detener grant/revoke allow/revoke
permit/revoke approve/revoke approval/revoke accept/revoke erlauben/revoke permitir/revoke grant/deny grant/denial grant/block
grant/forbid grant/refuse grant/reject grant/decline grant/sperren grant/verbieten open/close reopen/close öffnen/close
ouvrir/close abrir/close open/shut open/schließen open/fermer open/cerrar compress/extract zip/extract pack/extract
archive/extract back_up/extract backup/extract compress/restore push/pull push/fetch send/receive sent/receive deposit/withdraw
raise/lower increase/lower extend/lower grow/lower erhöhen/lower augmenter/lower aumentar/lower raise/reduce raise/decrease
raise/shrink raise/senken raise/verringern raise/réduire raise/reducir show/hide display/hide anzeigen/hide montrer/hide
mostrar/hide show/hidden show/conceal show/ausblenden show/cacher show/ocultar merge/split join/split combine/split
merge/separate merge/divide old/new older/new oldest/new earliest/new least_recent/new old/newer old/newest old/latest
old/recent old/most_recent old/more_recent early/late earlier/late early/later large/small largest/small big/small biggest/small
large/smallest long/short longest/short long/shortest more_than/less_than greater_than/less_than at_least/less_than
mindestens/less_than plus_de/less_than más_de/less_than more_than/fewer_than more_than/at_most more_than/höchstens
more_than/moins_de more_than/menos_de above/below over/below above/under above/within above/up_to most/least maximum/least
max/least greatest/least most/minimum most/min most/fewest high/low highest/low top/low high/lower high/lowest high/bottom
cheap/expensive cheapest/expensive fast/slow fastest/slow fast/slowest first/last erste/last premier/last primero/last
first/final first/letzte first/dernier first/último next/previous following/previous next/preceding ascending/descending
asc/descending aufsteigend/descending ascending/desc ascending/absteigend empty/full blank/full exist/missing
present/missing exist/absent unique/duplicate distinct/duplicate unique/repeated pass/fail succeed/fail success/fail
successful/fail pass/failure commit/revert apply/revert commit/rollback commit/roll_back commit/undo buy/sell purchase/sell
buy/sold refund/charge book/cancel reserve/cancel buchen/cancel reservar/cancel book/stornieren book/annuler book/cancelar
login/logout signin/logout log_in/logout sign_in/logout login/signout login/log_out login/log_off login/sign_out arrive/depart
arrival/depart arrive/departure incoming/outgoing even/odd positive/negative true/false public/private used/unused local/remote
upper/lower uppercase/lower upper/lowercase left/right read_only/writable readonly/writable up/down on/off`;

describe('opposites', () => {
  it.each([
    ['Read the garden news', 'Read the bakery news'],
    ['Water the garden', 'Water the lawn'],
  ])('are not seen in things that share a stem with one: %s, %s', (a, b) => {
    expect(compareSenses(a, b)).toBe('agree');
    expect(compareSenses(b, a)).toBe('agree');
  });

  it.each(
    pairs
      .trim()
      .split(/\s+/)
      .map((pair) => pair.replaceAll('_', ' ').split('/') as [string, string]),
  )('"%s" is opposed to "%s"', (a, b) => {
    expect(bothWays(`widgets ${a} 7 gadgets`, `widgets ${b} 7 gadgets`)).toBe('opposed');
  });

  it.each([
    ['Schalte den Dienst an', 'Schalte den Dienst aus'],
    ['Schalte den Dienst ein', 'Schalte den Dienst ab'],
    ['Deleting the logs', 'Logs that were kept'],
    ['Cancellation of the table', 'Book the table'],
    ['Stopped containers', 'Started containers'],
    ['Denied requests', 'Allowed requests'],
    ['The installation of the driver', 'Uninstall the driver'],
    ['Show unread messages', 'Show read messages'],
    ['Aktiviere den Dienst', 'Deaktiviere den Dienst'],
    ['Activez le service', 'Désactivez le service'],
    ['Find the largest file and print its size', 'Find the smallest file and print its size'],
    ['Cancel my booking', 'Book a room'],
    ['List files not older than 7 days', 'List files older than 7 days'],
    ['Files modified in the last 7 days', 'Files modified more than 7 days ago'],
    ['Files modified in the past 7 days', 'Files older than 7 days'],
    ['Files of exactly 50 bytes', 'Files of less than 50 bytes'],
    ['Names longer than 20 letters', 'Names shorter than 20 letters'],
    ['List non-empty files', 'List empty files'],
    ['Do not keep the logs', 'Keep the logs'],
    ['Accounts that are no longer visible', 'Accounts that are visible'],
    ['Enable logging after disabling the cache', 'Disable logging after enabling the cache'],
    ['Add the header and remove the footer', 'Add the footer and remove the header'],
    ['Files over 10 MB', 'Files under 10 MB'],
    ['Orders from before 2024', 'Orders from after 2024'],
    ['Visits until 2024', 'Visits since 2024'],
    ['Visits before March 2024', 'Visits in March 2024'],
    ['Visits before the end of March', 'Visits during March'],
    ['Visits up to 2024', 'Visits in 2024'],
    ['Visits since 2023', 'Visits in 2024'],
    ['Visits from 2023 to 2024', 'Visits from 2023'],
    ['Pay at most 200 EUR', 'Pay 200 EUR'],
    ['Pay all bills until 55', 'Pay the bill 55'],
    ['Besuche seit 2024', 'Besuche vor 2024'],
    ['Delete the snapshot before snap-0a91', 'Delete the snapshot after snap-0a91'],
    ['Block the card after 24 hours', 'Block the card for 24 hours'],
    ['Promote the replica', 'Demote the replica'],
    ['Connect the printer', 'Disconnect the printer'],
    ['Count the zero values', 'Count the nonzero values'],
    ['List valid certificates', 'List invalid certificates'],
    ['Use the mutable list', 'Use the immutable list'],
    ['Encrypt the disk', 'Decrypt the disk'],
    ['Upload the report', 'Download the report'],
    ['List inbound calls', 'List outbound calls'],
    ['List internal links', 'List external links'],
    ['Import the prices', 'Export the prices'],
    ['Increment the counter', 'Decrement the counter'],
    ['Attach the volume', 'Detach the volume'],
    ['Die Lampe einschalten', 'Die Lampe ausschalten'],
    ['Den Kunden anmelden', 'Den Kunden abmelden'],
    ['Cancel my bookings', 'Book a room'],
    ['Cancel my reservation', 'Reserve a room'],
    ['Cancel my reservations', 'Reserve a room'],
  ])('%j is opposed to %j', (a, b) => {
    expect(bothWays(a, b)).toBe('opposed');
  });

  it.each([
    ['Copy the file "delete.txt" to /srv', 'Copy the file "keep.txt" to /srv'],
    ['Count the rows where "enabled" is 1', 'Count the rows where `disabled` is 1'],
    ["Count rows with 'open' in state", "Count rows with 'closed' in state"],
    ['Count rows with „offen“, «open» or “open”', 'Count rows with „zu“, «closed» or “closed”'],
    ['Print is_deleted of /srv/keep', 'Print is_created of /srv/remove'],
    ['Print state=open', 'Print state=closed'],
    ['Print --enable of enable.ts', 'Print --disable of disable.ts'],
    ['Call startServer', 'Call stopServer'],
    ['List files older than 7 days', 'List files not newer than 7 days'],
    ['List non-empty files', 'List files that are not empty'],
    ['List at most 5 files', 'List no more than 5 files'],
    ['Items of no less than 7 units', 'Items over 7 units'],
    ['Delete the temp files before creating the backup', 'Create the backup after deleting the temp files'],
    ['Enable logging and disable the cache', 'Disable the cache, then enable logging'],
    ['Look up the price on Monday', 'Write the price down'],
    ['Find it under the folder', 'Find it above the folder'],
    ['I booked a room and want it quiet', 'I want it quiet, a cancelled room'],
    ['Notes of the meeting', 'The notes of a meeting'],
    ['Cancel my reservation', 'I need to cancel reservations'],
    ['Wait two hours', 'Wait 2 hours'],
    ['Visits of March 2024', 'Visits in March 2024'],
    ['Files exceeding 10 MB', 'Files over 10 MB'],
    ['Files larger than 10 MB', 'Files above 10 MB'],
    ['Files of the last 7 days', 'Files of the past 7 days'],
    ['Files from within the last 7 days', 'Files that are newer than 7 days'],
    ['Files under /srv/a1', 'Files in /srv/a1'],
    ['Files over web-1', 'Files from web-1 to web-2'],
    ['Sort before printing 5 rows', 'Print 5 rows after sorting'],
  ])('%j agrees with %j', (a, b) => {
    expect(bothWays(a, b)).toBe('agree');
  });

  it.each('less fewer smaller shorter lower younger newer'.split(' '))('put a limit above with "%s than"', (word) => {
    expect(bothWays(`Items ${word} than 7 units`, 'Items over 7 units')).toBe('opposed');
  });

  it.each('more greater larger bigger longer higher older'.split(' '))('put a limit below with "%s than"', (word) => {
    expect(bothWays(`Items ${word} than 7 units`, 'Items under 7 units')).toBe('opposed');
  });

  it.each([
    ...['weniger als', 'kleiner als', 'kürzer als', 'jünger als', 'neuer als', 'moins de', 'menos de'],
    ...['mehr als', 'größer als', 'länger als', 'älter als', 'plus de', 'más de'],
  ])('put a limit with "%s"', (words) => {
    const sides = ['under', 'over'].map((limit) => bothWays(`Items ${words} 7 units`, `Items ${limit} 7 units`));
    expect(sides.sort()).toEqual(['agree', 'opposed']);
  });

  it.each('last past letzten derniers dernières últimos últimas ultimi ultime'.split(' '))(
    'put a limit above with "%s"',
    (word) => {
      expect(bothWays(`Items of ${word} 7 days`, 'Items before 7 days')).toBe('agree');
      expect(bothWays(`Items of ${word} 7 days`, 'Items over 7 days')).toBe('opposed');
    },
  );

  it.each(
    'be been being is are was were have has had do does did to a an the any yet already currently longer also really ever get'.split(
      ' ',
    ),
  )('are turned round by a "not" with "%s" between', (filler) => {
    expect(bothWays(`Pages not ${filler} visible`, 'Pages hidden')).toBe('agree');
  });

  it.each('only forget hesitate matter problem sure worry just necessarily'.split(' '))(
    'are not denied by "not %s"',
    (idle) => {
      expect(bothWays(`Print not ${idle} totals`, 'Print totals')).toBe('agree');
    },
  );

  it.each('I we it ich wir es je nous yo'.split(' '))('are told, not asked for, by "%s"', (speaker) => {
    expect(bothWays(`${speaker} not see rain, print totals`, 'Print totals')).toBe('agree');
    expect(bothWays(`${speaker} booked a seat, print totals`, 'Cancel, print totals')).toBe('agree');
  });

  it.each('if when where wenn falls si quand cuando'.split(' '))('are conditions behind "%s"', (condition) => {
    expect(bothWays(`Print totals ${condition} it is not raining`, 'Print totals')).toBe('unclear');
  });

  it.each('the a an my your his her its our their this that these those'.split(' '))(
    'name a thing behind "%s"',
    (article) => {
      expect(bothWays(`Print ${article} opening`, 'Print, then close it')).toBe('agree');
      expect(bothWays('Print opening doors', 'Print, then close it')).toBe('opposed');
    },
  );

  it('cannot tell what a prohibition has to do with a task about something else', () => {
    expect(bothWays('Please do not cancel the booking, print its date', 'Print the date')).toBe('unclear');
    expect(bothWays("Don't stop the server, print its load", 'Print the load of the server')).toBe('unclear');
    expect(bothWays('I do not open it any more, print the date', 'Print the date')).toBe('agree');
    expect(bothWays('The door does not open, print the date', 'Print the date')).toBe('agree');
    expect(bothWays('Do not keep the old drafts', 'Delete the old drafts')).toBe('agree');
  });

  it('cannot tell where one asks for less of what the other has', () => {
    expect(bothWays('Add the header and remove the footer', 'Remove the header')).toBe('unclear');
    expect(bothWays('Create the table, then delete the view', 'Delete the cache, then create an index')).toBe(
      'unclear',
    );
  });

  it('knows that the contrary of the contrary may be the same', () => {
    expect(bothWays('Show the visible layers', 'Hide layers that are hidden')).not.toBe('agree');
    expect(bothWays('Delete the old drafts', 'Retain new drafts')).not.toBe('agree');
    expect(bothWays('Show the old drafts', 'Hide the new drafts')).toBe('unclear');
    expect(bothWays('Raise the old limit', 'Lower the new limit')).toBe('opposed');
  });

  it('counts what is said in passing in a long task only where it is said of the same', () => {
    const story =
      'The report has many parts, and each of these has its own author and its own style of writing. '.repeat(5);

    expect(bothWays(`${story} Open the window.`, `${story} Close the door.`)).toBe('agree');
    expect(bothWays(`${story} Open the window.`, `${story} Close the window.`)).toBe('opposed');
    expect(bothWays('Open the window.', 'Close the door.')).toBe('opposed');
  });
});

/** By hand beside the table. */
const excepting =
  'except,except for,exclude,other than,apart from,aside from,besides,all but,everything but,anything but,but not,unless,skip,omit,' +
  'ignore,spare,instead of,rather than,außer,ausgenommen,sauf,excepto,salvo,todo menos,not,no,never,none of,non,without,lacking,' +
  'avoid,nicht,kein,ohne,nie,pas,jamais,sans,aucun,sin,nunca,ninguna,ningún';

it('does not take "of" for "off"', () => {
  const [on, of] = ['Begin a window of two hours on the server', 'Begin a two hour window on the server'];

  expect(bothWays(on, of)).toBe('agree');
  expect(bothWays('Switch the lamp on', 'Switch the lamp off')).toBe('opposed');
});

describe('exceptions', () => {
  it.each(excepting.split(','))('are what follows “%s”', (word) => {
    expect(readSenses(`Print totals ${word} visits`).exceptions).not.toEqual([]);
  });

  it.each([
    ['Delete everything in /data/in except the *.txt files', 'Delete all *.txt files in /data/in'],
    ['Delete everything in /data/in except the *.txt files', 'Delete everything in /data/in'],
    ['Stop all containers except env=staging', 'Stop the containers with env=staging'],
    ['Stop all services, leave nginx alone', 'Stop nginx'],
    ['Stop all services and leave nginx untouched', 'Stop all services'],
    ['Stop all services and leave nginx intact', 'Stop all services'],
    ['Stop all services and leave nginx unchanged', 'Stop all services'],
    ['Stop all services and leave nginx as it is', 'Stop all services'],
    ['Stop all services and leave nginx out', 'Stop all services'],
    ['Supprime tous les fichiers sauf *.txt', 'Supprime tous les fichiers *.txt'],
    ['Imprime los archivos excepto los ocultos', 'Imprime los archivos ocultos'],
    ['Drucke die Dateien nicht', 'Drucke die Dateien'],
    ['Print the lines of a.txt that are not in b.txt', 'Print the lines of b.txt that are not in a.txt'],
    ['Print the users, admins excluded', 'Print the users'],
    ['Copy everything except files in /srv/keep', 'Copy everything in /srv/keep'],
    ['Copy all except a.txt and leave b.txt alone', 'Copy all except a.txt'],
    ...'all every each any everything anything everyone anyone'
      .split(' ')
      .map((whole) => [`Log out ${whole} of them but deploy`, 'Log out deploy']),
    ['Stop all web containers but staging', 'Stop the web containers of staging'],
    ["Print what isn't printed", 'Print what is printed'],
    ['Print what cannot move', 'Print what can move'],
    ['Cancela todos los pedidos del cliente menos el 5521', 'Cancela el pedido 5521 del cliente'],
    ['Imprime todo menos informes', 'Imprime informes'],
    ['Imprime tudo menos faturas', 'Imprime faturas'],
  ])('%j leaves out something that %j does not', (a, b) => {
    expect(bothWays(a, b)).toBe('excepts');
  });

  it.each([
    ['Delete everything in /data except *.txt', 'Remove all files in /data but keep the *.txt files'],
    ['Delete everything in /data except *.txt', 'Delete all files in /data that are not *.txt files'],
    ['Delete everything in /data except *.txt', 'Delete everything in /srv except *.log'],
    ['Delete all but the newest backup', 'Keep only the newest backup and delete the rest'],
    ['Delete all but the newest 5 backups', 'Keep the newest 5 backups'],
    ['Do not delete the *.txt files, delete everything else', 'Delete everything except the *.txt files'],
    ['Stop all services, leave nginx alone', 'Stop all services except nginx'],
    ['Lösche alle Dateien außer *.txt', 'Lösche alle Dateien, aber behalte *.txt'],
    ['Which students have no pets?', 'List the students who do not own any pet'],
    ['Print the lines that do not contain foo', 'Print lines excluding those with foo'],
    ['Show unread messages', 'Show messages that were not read'],
    ["Please don't forget to restart nginx", 'Restart nginx'],
    ['Print not only totals', 'Print totals'],
    ['Rename it, no matter how', 'Rename it'],
    ["I can't log in, reset my password", 'Reset my password'],
    ['It does not open, repair the door', 'Repair the door'],
    ['No, print it', 'Print it'],
    ['Copy all except a.txt and restart nginx', 'Restart nginx and copy all except a.txt'],
    ['Delete all except the hidden files', 'Delete all but not hidden files'],
  ])('%j leaves out the same as %j', (a, b) => {
    expect(bothWays(a, b)).toBe('agree');
  });

  it.each([
    ['Copy all except red ones', 'Copy all except round ones'],
    ['Count users without shoes', 'Count barefoot users'],
    ['I do not want the insurance', 'I want the insurance'],
  ])('what %j and %j leave out cannot be told apart', (a, b) => {
    expect(bothWays(a, b)).toBe('unclear');
  });
});

describe('where from and where to', () => {
  it.each([
    ['Copy the folder from b to a', 'Copy the folder from a to b'],
    ['Copy it to /b from /a', 'Copy it to /a from /b'],
    ['Passa dez da horta para a adega', 'Passa dez da adega para a horta'],
    ['Breng het boek van Oslo naar Rome', 'Breng het boek van Rome naar Oslo'],
    ['Rename a.txt to b.txt', 'Rename b.txt to a.txt'],
    ['Replace foo with bar', 'Replace bar with foo'],
    ['Replace "foo" by "bar"', 'Replace "bar" by "foo"'],
    ['Exchange tea for milk', 'Exchange milk for tea'],
    ['Swap tea for milk', 'Swap milk for tea'],
    ['Substitute tea for milk', 'Substitute milk for tea'],
    ['Ersetze Tee durch Milch', 'Ersetze Milch durch Tee'],
    ['Remplace café par lait', 'Remplace lait par café'],
    ['Reemplaza café por leche', 'Reemplaza leche por café'],
    ['Reemplaza café con leche', 'Reemplaza leche con café'],
    ['Merge branch dev into main', 'Merge branch main into dev'],
    ['Mount sda onto sdb', 'Mount sdb onto sda'],
    ['Walk lions toward tigers', 'Walk tigers toward lions'],
    ['Walk lions towards tigers', 'Walk tigers towards lions'],
    ['Rename cat -> dog', 'Rename dog -> cat'],
    ['Rename cat => dog', 'Rename dog → cat'],
    ['A trip from Oslo to Rome', 'A trip from Rome to Oslo'],
    ['Kopiere es von /a nach /b', 'Kopiere es von /b nach /a'],
    ['Kopiere es vom Server nach Hause', 'Kopiere es vom Hause nach Server'],
    ['Copie de /a vers /b', 'Copie de /b vers /a'],
    ['Copie depuis Oslo vers Rome', 'Copie depuis Rome vers Oslo'],
    ['Copie les fichiers de /a à /b', 'Copie les fichiers de /b à /a'],
    ['Vuelo desde Oslo hacia Roma', 'Vuelo desde Roma hacia Oslo'],
    ['Vuelo desde Oslo hasta Roma', 'Vuelo desde Roma hasta Oslo'],
    ['Subtract seven from nine', 'Subtract nine from seven'],
    ['Restart the database before the web server', 'Restart the web server before the database'],
    ['Files modified before 2020', 'Files modified after 2020'],
    ['Files modified before 2020', 'Files modified after 2021'],
    ['Orders until May', 'Orders since May'],
    ['Orders till May', 'Orders since May'],
    ['Bestellungen vor Mai', 'Bestellungen seit Mai'],
    ['Bestellungen bis Mai', 'Bestellungen seit Mai'],
    ['Zahle, bevor Anna bestellt', 'Zahle, nachdem Anna bestellt'],
    ['Commandes avant mai', 'Commandes après mai'],
    ['Pedidos antes de mayo', 'Pedidos después de mayo'],
  ])('%j is opposed to %j', (a, b) => {
    expect(bothWays(a, b)).toBe('opposed');
  });

  it.each([
    ['A trip from Oslo to Rome', 'Fly to Rome from Oslo'],
    ['Convert EUR to USD', 'Change EUR into USD'],
    ['Substitute tea for milk', 'Replace milk with tea'],
    ['Restart the database before the web server', 'Restart the web server after the database'],
    ['After backing up the database, upgrade it', 'Back up the database before upgrading it'],
    ['I need to change the room', 'Make changes to the room I need'],
    ['I am trying to open the room', 'The room to open'],
    ['Open it with care', 'With care, open it'],
    ['A trip from Oslo to Rome', 'A trip from Bergen to Paris'],
  ])('%j agrees with %j', (a, b) => {
    expect(bothWays(a, b)).toBe('agree');
  });

  it.each('trying hoping able order plan intend wish looking sure ask'.split(' '))(
    'is not told by "%s to"',
    (before) => {
      expect(bothWays(`Rooms ${before} to change`, 'Change to rooms')).toBe('agree');
    },
  );

  it('cannot tell where a value stands in another place, or where a range is turned round', () => {
    expect(bothWays('Move it from /a to /b', 'Move it from /b to /c')).toBe('unclear');
    expect(bothWays('The difference between tea and milk', 'The difference between milk and tea')).toBe('unclear');
  });
});

describe('comparing senses', () => {
  it('lets the very task agree, whatever it says', () => {
    for (const task of ['Delete all except *.txt', '删除所有文件', 'Do not enable it unless disabled', '']) {
      expect(compareSenses(task, task)).toBe('agree');
      expect(compareSenses(task, `  ${task.toUpperCase()} `)).toBe('agree');
    }
  });

  it('does not pretend to read what is written in other letters', () => {
    expect(compareSenses('删除所有文件', '保留所有文件')).toBe('unclear');
    expect(compareSenses('Удали все файлы', 'Оставь все файлы')).toBe('unclear');
  });

  it('does not pretend to know what is left of a hundred exceptions', () => {
    const task = 'Copy all but not x. '.repeat(100);

    expect(compareSenses(task, `${task} y`)).toBe('unclear');
  });

  it('can read a task once and compare it often', () => {
    const task = readSenses('Enable it');

    expect(compareReadings(task, readSenses('Disable it'))).toBe('opposed');
    expect(compareReadings(task, readSenses('Please enable it'))).toBe('agree');
  });

  it('ends soon with anything', () => {
    const started = performance.now();
    for (const part of [
      'not ',
      'from a to b ',
      '"',
      "'",
      'except ',
      'delete keep ',
      'a',
      '(',
      'before ',
      'x-',
      '\u0000',
    ]) {
      expect(typeof compareSenses(part.repeat(1_000_000), `${part.repeat(900_000)} x`)).toBe('string');
    }
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
