import type { Effect } from '@whetstone/contracts';
import type { Action } from '../actions/action.js';
import { readExample } from '../actions/read-actions.js';
import { askingRows, asksFor, onlyReads } from './asked-effects.js';

const plain: Action = { kind: 'command', verb: 'x', text: 'x' };

describe('the table of asking words', () => {
  it.each(askingRows)('tells who asks for $effect: “$yes”, not “$no”', ({ effect, yes, no }) => {
    expect(asksFor(yes, effect, plain)).toBe(true);
    expect(asksFor(no, effect, plain)).toBe(false);
  });
});

/** By hand beside the table: as people write them. */
const asking: [Effect, string][] = [
  [
    'destroys',
    `delete deleting remove dropped clean purge wipe uninstall kill stop cancel empty emptied clear erase destroy terminate prune revoke
    discard trash truncate reset eliminate undo rid teardown shred unpublish abort shut shutdown reboot restart strip overwrite revert unset
    lösche entferne storniere bereinige leer leere leeren beende kündige verwerfe supprimer effacer annuler vide vider nettoyer retirer
    enlever arrêter eliminar borrar vaciar limpiar quita quitar detener`,
  ],
  [
    'connects',
    `download fetch upload send ping request ssh curl wget connect scrape scraping crawl
    clone pull push publish sync transfer post submit deploy herunterladen hochladen sende abrufen
    télécharger envoie descargar envía enviar subir sube`,
  ],
  ['installs', 'install setup dependencies upgrade provision abhängigkeit dépendance instalar'],
  [
    'widens_rights',
    `permission access grant executable owner chmod chown right rights privilege role roles admin writable readable sudo berechtigung
    zugriff rechte eigentümer droits accès propriétaire permiso acceso dueño`,
  ],
  [
    'persists',
    `schedule cron boot startup enable daily nightly weekly hourly monthly automatically permanently persist authorized autostart
    recurring täglich nächtlich stündlich regelmäßig dauerhaft quotidien démarrage diario automático arranque`,
  ],
];

describe('whether a task asks for an effect', () => {
  it('is so for destroying all of a kind only if the task speaks of all', () => {
    const actions: Action[] = [
      { kind: 'call', verb: 'deleteAllUsers', text: '' },
      { kind: 'http', verb: 'DELETE', object: '/users/_all', text: '' },
    ];
    for (const action of actions) {
      expect(asksFor('Delete the user U-17', 'destroys', action)).toBe(false);
      expect(asksFor('Delete all users', 'destroys', action)).toBe(true);
      expect(asksFor('Lösche alle Nutzer', 'destroys', action)).toBe(true);
    }
  });

  it.each(asking.flatMap(([effect, words]) => words.split(/\s+/).map((word): [Effect, string] => [effect, word])))(
    'is so for %s with the word %s',
    (effect, word) => {
      expect(asksFor(`Please ${word} x`, effect, plain)).toBe(true);
      expect(asksFor(`Please look at x`, effect, plain)).toBe(false);
    },
  );

  it.each([
    ['connects', 'Free some disk space on the build server'],
    ['connects', 'Tidy up the mail folder of the web site'],
    ['destroys', 'Find the old files'],
    ['installs', 'Run the tests of the package'],
    ['persists', 'Count every login of the service'],
    ['destroys', 'Show the ride of the video, quite in leerness'],
    ['connects', 'Sort the webs of apiaries, the mailbox and the posters'],
    ['widens_rights', 'Sort by the brightest roleplay'],
    ['persists', 'Show everybody and everything'],
  ] as [Effect, string][])('is not so for %s with words that only begin alike: %s', (effect, task) => {
    expect(asksFor(task, effect, plain)).toBe(false);
  });

  it.each([
    'Do not delete x',
    "Don't delete x",
    'Dont delete x',
    'Never delete x',
    'List x without deleting',
    'Show x with no deleting',
    'Avoid deleting x',
    'You cannot delete x',
    'x nicht löschen',
    'Zeige x ohne es zu löschen',
    'Lösche nicht alles',
    'ne pas supprimer',
    'sans supprimer',
    'sin borrar',
    'nunca borrar',
    'evita borrar',
    'kein Löschen',
    'keine Löschung',
    'keinen löschen',
    'nie löschen',
    'jamais supprimer',
    'supprimer pas x',
    'all except deleted',
    'leave deleted alone',
  ])('is not so where it is denied: %s', (task) => {
    expect(asksFor(task, 'destroys', plain)).toBe(false);
  });

  it.each([
    'Delete x, do not delete y',
    'Do not ask, delete x',
    'Do not hesitate but delete x',
    'Not now and then but really always delete',
    'No, that is not what I mean: delete x',
  ])('is so where only something else is denied: %s', (task) => {
    expect(asksFor(task, 'destroys', plain)).toBe(true);
  });

  it('is so where the task names the program or the tool', () => {
    const command: Action = { kind: 'command', verb: 'rm', text: "sh -c 'rm x'" };
    expect(asksFor('Use rm on x', 'destroys', command)).toBe(true);
    expect(asksFor('Do not use rm on x', 'destroys', command)).toBe(false);
    expect(asksFor('Format x', 'destroys', command)).toBe(false);
    expect(asksFor('Call void_order now', 'destroys', { kind: 'call', verb: 'void_order', text: '' })).toBe(true);
    expect(asksFor('Use pip for x', 'installs', { kind: 'command', verb: 'pip', text: 'pip install x' })).toBe(true);
  });

  it.each([
    ['Delete the *.tmp files in /srv/work', 'rm -rf /srv/work', false],
    ['Delete the drafts inside /srv/work', 'rm -rf /srv/work', false],
    ['Delete the drafts under /srv/work', 'rm -rf /srv/work', false],
    ['Delete the drafts within /srv/work', 'rm -rf /srv/work', false],
    ['Delete the drafts from /srv/work', 'rm -rf /srv/work', false],
    ['Delete the drafts of /srv/work', 'rm -rf /srv/work', false],
    ['Delete the *.tmp files in the folder "/srv/work"', 'rm -rf /srv/work', false],
    ['Delete the old logs of /srv/work/logs', 'rm -rf /srv/work', false],
    ['Delete the old logs of /srv/work/logs', 'rm -rf /srv/work/', false],
    ['Delete the *.tmp files in /srv/work', 'rm /srv/work/*.tmp', true],
    ['Delete the folder /srv/work', 'rm -rf /srv/work', true],
    ['Delete a.txt in /srv/work', 'rm /srv/work/a.txt', true],
    ['Remove /srv/work/old from /srv/work', 'rm -r /srv/work/old', true],
  ])('is so for what the task names and not for the place where it is: %s, %s', (task, text, asked) => {
    expect(asksFor(task, 'destroys', { kind: 'command', verb: 'rm', text })).toBe(asked);
  });

  it.each([
    ['Customer C-4 no longer wants order O-9', { order: 'O-9' }, true],
    ['Customer C-4 no longer wants order O-9', { order: 'O-9', by: { id: 'C-4' } }, true],
    ['Customer C-4 no longer wants order O-9', { order: 'O-8' }, false],
    ['Customer C-4 no longer wants order O-9', {}, false],
    ['What does order O-9 cost?', { order: 'O-9' }, false],
    ['Hello. Show me order O-9', { order: 'O-9' }, false],
  ])(
    'is so for a tool that is given the values of the task alone, unless it asks to look: %s, %j',
    (task, args, asked) => {
      expect(asksFor(task, 'destroys', { kind: 'call', verb: 'cancel_order', args, text: '' })).toBe(asked);
    },
  );

  it.each([
    'Which items does O-9 hold?',
    'Who paid for O-9?',
    'Where is O-9 now?',
    'When was O-9 sent?',
    'Why is O-9 late?',
    'How was O-9 paid?',
    'Is O-9 paid?',
    'Are all items of O-9 there?',
    'Was O-9 sent?',
    'Does O-9 hold a lamp?',
    'Did O-9 leave?',
    'Has O-9 left?',
    'Can O-9 still leave today?',
  ])('is not so for a question: %s', (task) => {
    expect(asksFor(task, 'destroys', { kind: 'call', verb: 'cancel_order', args: { order: 'O-9' }, text: '' })).toBe(
      false,
    );
  });

  it.each([
    ['Run backup.sh every weekday at 02:30', true],
    ['Run backup.sh every day at 02:30', true],
    ['Run backup.sh each Monday', true],
    ['Starte backup.sh jede Nacht', true],
    ['Lance backup.sh chaque semaine', true],
    ['Run backup.sh every 5 minutes', true],
    ['Run backup.sh every other day', true],
    ['Starte backup.sh jeden Montag', true],
    ['Lance backup.sh tous les jours', true],
    ['Show every file', false],
    ['Send each message to Ann', false],
    ['Do not run it every day', false],
    ['Show the sales of each month', false],
  ])('is so for staying active where it is to be done again and again: %s', (task, expected) => {
    const action: Action = { kind: 'command', verb: 'x', text: "echo '30 2 * * * x' | crontab -" };
    expect(asksFor(task, 'persists', action)).toBe(expected);
  });

  it('is not so for ending something for good where the task only stops it', () => {
    const command = (text: string): Action => ({ kind: 'command', verb: 'x', text });
    const [terminate, remove] = [
      command('aws ec2 terminate-instances --instance-ids i-1'),
      command('docker rm -f web'),
    ];
    for (const action of [terminate, remove]) {
      expect(asksFor('Stop web', 'destroys', action)).toBe(false);
      expect(asksFor('Delete web', 'destroys', action)).toBe(true);
    }
    expect(asksFor('Stop web', 'destroys', command('pkill web'))).toBe(true);
    expect(asksFor('Restart web', 'destroys', { kind: 'http', verb: 'DELETE', object: '/web', text: '' })).toBe(false);
    expect(asksFor('Restart web', 'destroys', { kind: 'call', verb: 'delete_server', text: '' })).toBe(false);
  });

  it('is so for destroying in code where the code has the file that the task names', () => {
    const code = (text: string): Action => ({ kind: 'code', verb: '', text });
    const task = 'Delete the file old.txt';
    expect(asksFor(task, 'destroys', code("Path('old.txt').unlink()"))).toBe(true);
    expect(asksFor(task, 'destroys', code("for p in Path('.').rglob('*'): p.unlink()"))).toBe(false);
    expect(asksFor('Delete the old files', 'destroys', code('for p in old: p.unlink()'))).toBe(true);
    expect(asksFor('Delete the old rows with Node.js', 'destroys', code('db.rows.deleteMany({ old: true })'))).toBe(
      true,
    );
  });

  it.each([
    ['npm install lodash', true],
    ['npm install lodash@4.17.21', true],
    ['npm install -D LODASH', true],
    ['npm ci', true],
    ['npm install', true],
    ['npm install lodash left-pad', false],
    ['npm install lodahs', false],
    ['npm install lodas', false],
    ['npm install lodashs', false],
    ['npm install underscore', true],
    ['npm install lodash && git add package.json', true],
    ['pip install --target lib lodash', true],
    ['helm install lodash charts/lodash', true],
  ])('is so for installing what the task names, and nothing else: %s', (text, expected) => {
    expect(asksFor('Install lodash', 'installs', { kind: 'command', verb: 'npm', text })).toBe(expected);
  });

  it.each([
    ['Install Python', 'apt-get install -y python3'],
    ['Install Node.js', 'apt-get install -y nodejs'],
    ['Install numpy', 'conda install -c conda-forge numpy'],
  ])('is so for a package of another spelling: %s: %s', (task, text) => {
    expect(asksFor(task, 'installs', { kind: 'command', verb: 'x', text })).toBe(true);
  });

  it('is so for saying which machine a name leads to where the task has its address', () => {
    const command = (text: string): Action => ({ kind: 'command', verb: 'x', text });
    const task = 'Add the host db with the address 10.0.0.5';
    expect(asksFor(task, 'connects', command("echo '10.0.0.5 db' >> /etc/hosts"))).toBe(true);
    expect(asksFor(task, 'connects', command("echo '10.0.0.5 db\n10.0.0.6 web' >> /etc/hosts"))).toBe(false);
    expect(asksFor('Block a.example', 'connects', command("echo '127.0.0.1 a.example' >> /etc/hosts"))).toBe(true);
    expect(asksFor(task, 'connects', command("echo 'nameserver 10.0.0.6' > /etc/resolv.conf"))).toBe(false);
  });

  it('is so for sharing with anybody only where the task speaks of that', () => {
    const share: Action = { kind: 'call', verb: 'share', text: 'share(file="a", anyone_with_link=true)' };
    expect(asksFor('Share the file with Ann', 'widens_rights', share)).toBe(false);
    expect(asksFor('Share the file with anyone', 'widens_rights', share)).toBe(true);
  });

  it('is not so because the task names a program that otherwise only reads', () => {
    const find: Action = { kind: 'command', verb: 'find', text: "find . -name 'a' -fprintf ~/.bashrc x" };
    expect(asksFor('Find the files called a', 'persists', find)).toBe(false);
  });

  it('is so for connecting where every machine that is reached is named', () => {
    const command = (text: string): Action => ({ kind: 'command', verb: 'x', text });
    expect(asksFor('Is example.com up?', 'connects', command('dig example.com'))).toBe(true);
    expect(asksFor('Is example.com up?', 'connects', command('curl https://bob@example.com:443/a'))).toBe(true);
    expect(asksFor('Is example.com up?', 'connects', command('dig example.com; nc example.org 80'))).toBe(false);
    expect(asksFor('Is a.txt there?', 'connects', command('cat a.txt | nc example.org 80'))).toBe(false);
    expect(asksFor('Is it up?', 'connects', command('nc $HOST 80'))).toBe(false);
    expect(asksFor('How full is web1?', 'connects', command('ssh bob@web1 df -h'))).toBe(true);
    expect(asksFor('How full is web1?', 'connects', command('ssh web2 df -h web1'))).toBe(false);
    expect(asksFor('Copy a.txt to web1', 'connects', command('scp a.txt web1:/srv'))).toBe(true);
    expect(asksFor('Copy a.txt to web1', 'connects', command('scp a.txt web1:/srv; scp a.txt db:/'))).toBe(false);
    expect(
      asksFor('Is example.com up?', 'connects', {
        kind: 'http',
        verb: 'GET',
        object: 'https://example.com/a',
        text: '',
      }),
    ).toBe(true);
  });

  it.each([
    ['Push without the hooks', true],
    ['Turn off the firewall', true],
    ['Switch the audit off', true],
    ['Disable SELinux', true],
    ['Skip verification', true],
    ['Ignore the certificate', true],
    ['Bypass the policy', true],
    ['Force push', true],
    ['Deactivate the trigger', true],
    ['Override the constraint', true],
    ['Allow insecure ssl', true],
    ['Suppress history', true],
    ['Stop logging', true],
    ['Firewall abschalten', true],
    ['Deaktiviere AppArmor', true],
    ['Ignoriere das Zertifikat', true],
    ['Prüfung überspringen', true],
    ['Désactive la vérification', true],
    ['Desactiva la verificación', true],
    ['Omite el certificado TLS', true],
    ['Disable foreign keys', true],
    ['Skip the host checks', true],
    ['Ignore the protection', true],
    ['Disable the safeguard', true],
    ['Disable security', true],
    ['Skip validation', true],
    ['Turn the guard off', true],
    ['Never skip the hooks', false],
    ['Do not disable the firewall', false],
    ['Nicht die Prüfung überspringen', false],
    ["Don't skip the hooks", false],
    ['dont skip the hooks', false],
    ['Ne désactive pas la vérification', false],
    ['Nunca desactives la verificación', false],
    ['Skip the first line', false],
    ['Check the firewall', false],
    ['Visit the office with an offer', false],
    ['Turn on the audit log', false],
    ['Switch the firewall on', false],
    ['Allow port 443 in the firewall', false],
  ])('is so for giving up a safeguard where both are said: %s', (task, asked) => {
    expect(asksFor(task, 'disables_safeguard', plain)).toBe(asked);
  });

  it.each([
    ['Book a flight', true],
    ['Do not touch b', true],
    ['Look at x without changing anything', false],
    ['Do not modify any of the flights', true],
    ['Change nothing', false],
    ["Look at x, don't modify anything", false],
    ['Look at x and do not write anything', false],
    ['Look at x without editing anything', false],
    ['Look at x and update nothing', false],
    ['Look at x but never touch anything', false],
    ['This is read-only', false],
    ['A readonly look', false],
    ['Ändere nicht, sondern zeige', true],
    ['sin cambiar nada', false],
    ['Find files that do not have write access', true],
  ])('is so for a change wherever none is ruled out: %s', (task, asked) => {
    expect(asksFor(task, 'changes', plain)).toBe(asked);
  });

  it.each([
    ['Check the balance of A-1', false],
    ['Please verify the address of C-1', false],
    ['Inspect the order and its items', false],
    ['Check whether it runs', false],
    ['Get the balance of A-1', false],
    ['Look up order O-9', false],
    ['Review the account of C-1', false],
    ['Could you please check the balance of A-1?', false],
    ['Can you move it?', true],
    ['Check that it runs and restart it if not', true],
    ['Check the disk and tidy it up', true],
    ['Check the order, fix what is wrong', true],
    ['Open a ticket for A-1', true],
    ['Get me an earlier seat', true],
  ])('is not so for a change by a tool where the task only looks: %s', (task, asked) => {
    const transfer: Action = { kind: 'call', verb: 'transfer', args: { to: 'B-2' }, text: '' };
    expect(asksFor(task, 'changes', transfer)).toBe(asked);
    expect(onlyReads(task)).toBe(!asked);
  });

  it.each([
    ['rm -rf /var/lib/postgresql', 'Clean up the disk on build-01', 'Remove the files of postgresql'],
    ['find /var/lib/postgresql -type f -delete', 'Clean up the disk on build-01', 'Delete the files of postgresql'],
    ['find /var/lib/postgresql -type f -exec rm {} +', 'Clean up the disk', 'Delete the files of postgresql'],
    ['rm -rf /srv/app/cache', 'Free the disk and delete what is old', 'Delete the caches of the app'],
    ['DELETE FROM orders WHERE id >= 77', 'Delete the order 77', 'Delete the orders from 77 on'],
    ['rm -rf build ../src', 'Delete the folder build', 'Delete the folders build and src'],
    ['rm -rf *.o cache', 'Delete what is old', 'Delete the cache'],
    ['DROP TABLE orders_backup', 'Clean up the database', 'Drop the backup of the orders'],
    ['DELETE FROM sessions WHERE id = 4', 'Delete what we no longer need', 'Delete session 4'],
  ])('is so for deleting only what it names: %s', (text, vague, clear) => {
    const [action] = readExample(text);
    expect(asksFor(vague, 'destroys', action as Action)).toBe(false);
    expect(asksFor(clear, 'destroys', action as Action)).toBe(true);
  });

  it.each([
    'Summarise the unread mails',
    'Fetch the orders of client 12',
    'Audit the accounts',
    'Review the pull request 15',
  ])('is not so for changes where a task only looks: %s', (task) => {
    for (const verb of ['share_calendar', 'forward_mail', 'merge_pr', 'update_client'])
      expect(asksFor(task, 'changes', { kind: 'call', verb, args: { id: 12 }, text: '' })).toBe(false);
    expect(onlyReads(task)).toBe(true);
  });

  it('is so for unlocking by a tool where the task says so', () => {
    const unlock: Action = { kind: 'call', verb: 'unlock_door', args: {}, text: '' };
    for (const task of [
      'Unlock the door',
      'My account is locked',
      'Disarm it',
      'Entsperre das Konto',
      'Déverrouille-la',
      "I can't log in to my account",
      'She is unable to sign in',
      'Ich kann mich nicht anmelden',
    ])
      expect(asksFor(task, 'disables_safeguard', unlock)).toBe(true);
    expect(asksFor('Turn on the light', 'disables_safeguard', unlock)).toBe(false);
    expect(asksFor('Unlock the door', 'disables_safeguard', { ...unlock, kind: 'command' })).toBe(false);
    expect(asksFor('Make sure that Bob cannot log in', 'disables_safeguard', unlock)).toBe(false);
    expect(asksFor('If the deploy fails, log in to the server', 'disables_safeguard', unlock)).toBe(false);
  });

  it('is not so for a tool that happens to be called like a thing in the task', () => {
    const call = (verb: string): Action => ({ kind: 'call', verb, args: {}, text: '' });
    expect(asksFor('Describe the product', 'destroys', call('product'))).toBe(false);
    expect(asksFor('Tombstone the product', 'destroys', call('purge'))).toBe(false);
  });

  it('is so for writing what was calculated', () => {
    const write: Action = { kind: 'command', verb: 'x', text: 'echo 1 > sum.txt' };
    expect(asksFor('Calculate the sum', 'changes', write)).toBe(true);
    expect(asksFor('Check the sum', 'changes', write)).toBe(false);
  });

  it.each([
    ['Give the office access to the database', false],
    ['Give everybody access to the database', true],
    ['Give public access to the database', true],
  ])('is so for opening to all only if the task says so: %s', (task, asked) => {
    const texts = [
      'aws ec2 authorize-security-group-ingress --cidr 0.0.0.0/0',
      'aws ec2 authorize-security-group-ingress --ipv6-cidr ::/0',
      'verbs: ["*"]',
      '"Action": "s3:*"',
      'Access-Control-Allow-Origin: *',
      'permissions: write-all',
      'gsutil iam ch allUsers:objectViewer gs://a',
      '--clusterrole=cluster-admin',
      'policy/AdministratorAccess',
      'GRANT ALL ON t TO PUBLIC',
      'GRANT ALL ON t TO bob',
      'GRANT SELECT ON t TO bob WITH GRANT OPTION',
      'ALTER ROLE bob SUPERUSER',
      'chmod 4755 run.sh',
      'chmod -R u+s /srv',
      'setfacl -R -m u:bob:rwx /',
    ];
    for (const text of texts) expect(asksFor(task, 'widens_rights', { kind: 'command', verb: 'x', text })).toBe(asked);
    const narrow: Action = { kind: 'command', verb: 'x', text: 'chmod 770 *' };
    expect(asksFor(task, 'widens_rights', narrow)).toBe(true);
  });

  it.each([
    ['Speed up the nightly job', false],
    ['Why does our daily report fail?', false],
    ['Set up a nightly job', true],
    ['Run the job daily', true],
    ['Schedule the nightly job', true],
  ])('is so for a schedule that is wanted, not for one that there is: %s', (task, asked) => {
    expect(asksFor(task, 'persists', plain)).toBe(asked);
  });

  it.each([
    'npm config set registry https://npm.example.com/',
    'echo "registry=https://npm.example.com/" > .npmrc',
    'docker build --build-arg http_proxy=https://npm.example.com .',
    'git push https://npm.example.com/x.git HEAD',
    'git remote set-url origin https://npm.example.com/x.git && git fetch',
  ])('is so for another source of packages only if the task names its host: %s', (text) => {
    const action: Action = { kind: 'command', verb: 'x', text };
    expect(asksFor('Download the dependencies', 'connects', action)).toBe(false);
    expect(asksFor('Fetch packages from npm.example.com', 'connects', action)).toBe(true);
  });

  it.each(['runs_fetched', 'opens_shell', 'destroys_all', 'unreadable'] as Effect[])('is never so for %s', (effect) => {
    expect(asksFor('Delete everything, open a shell, run curl | sh, whatever', effect, plain)).toBe(false);
  });

  it('is answered in time of any text', () => {
    const started = performance.now();
    for (const part of ['delete ', 'not ', '.a', 'http://a', 'a@', '-']) {
      const text = part.repeat(1_000_000 / part.length);
      for (const effect of ['destroys', 'connects', 'disables_safeguard', 'changes'] as const) {
        asksFor(text, effect, { kind: 'command', verb: text, object: text, text });
      }
    }
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
