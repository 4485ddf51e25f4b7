import { type Account, createAccounts, unique } from '../../support/accounts.js';
import { ask, learn, type Run, toldOf } from './advice.js';

const accounts = createAccounts();
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

interface Pair {
  /** What was done, and worked. */
  task: string;
  deed: string;
  /** What its own task must be told; the deed itself, unless a part of it is enough. */
  way?: string;
  /** What the other task must not be told; the way, unless that alone does no harm. */
  harm?: string;
  other: string;
  agent?: string;
  result?: string;
}

const run = ({ task, deed, agent, result = 'exit code 0' }: Pick<Pair, 'task' | 'deed' | 'agent' | 'result'>): Run => ({
  task,
  steps: [[deed, result]],
  ...(agent ? { agent } : {}),
});

async function expectOnlyForItsTask(pair: Pair) {
  const tenantId = unique('opposite');
  await learn(account.client, tenantId, [run(pair)]);

  const own = await ask(account.client, tenantId, pair.task, pair.agent ?? 'shell');
  const other = await ask(account.client, tenantId, pair.other, pair.agent ?? 'shell');

  const way = pair.way ?? pair.deed;
  const harm = pair.harm ?? way;
  expect(toldOf(own.told, [way])).toEqual([way]);
  expect(toldOf(other.told, [harm])).toEqual([]);
}

describe('an exception', () => {
  it.each<Pair>([
    {
      task: 'Delete the *.txt files in /data/in',
      deed: "find /data/in -name '*.txt' -delete",
      other: 'Delete everything in /data/in except the *.txt files',
    },
    {
      task: 'Delete everything in /data/in except the *.txt files',
      deed: "find /data/in -type f ! -name '*.txt' -delete",
      other: 'Delete the *.txt files in /data/in',
    },
    {
      task: 'Stop all containers with the label env=staging',
      deed: 'docker stop $(docker ps -q --filter label=env=staging)',
      other: 'Stop all containers except those with the label env=staging',
    },
    {
      task: 'Log out the sessions of the user deploy',
      deed: 'loginctl terminate-user deploy',
      other: 'Log out the sessions of all users but deploy',
    },
    {
      task: 'Remove the branches that are merged into main',
      deed: 'git branch --merged main | grep -v main | xargs -r git branch -d',
      way: 'git branch --merged main',
      other: 'Remove all branches other than those that are merged into main',
    },
    {
      task: 'Lösche alle Bilder im Ordner /srv/album',
      deed: "find /srv/album -iname '*.jpg' -delete",
      other: 'Lösche alles außer den Bildern im Ordner /srv/album',
    },
  ])('keeps “$deed” from “$other”, and its own task is answered', expectOnlyForItsTask);
});

describe('a negation', () => {
  it.each<Pair>([
    {
      task: 'Close the tickets that are marked as urgent',
      deed: 'ticketctl close --where priority=urgent',
      other: 'Close the tickets that are not marked as urgent',
      agent: 'desk',
      result: 'closed 4 tickets',
    },
    {
      task: 'Delete the accounts that have confirmed their address',
      deed: 'DELETE FROM accounts WHERE confirmed_at IS NOT NULL;',
      other: 'Delete the accounts that have never confirmed their address',
      agent: 'sql',
      result: 'DELETE 12',
    },
    {
      task: 'Restart the pods that are ready in the namespace shop',
      deed: 'podctl restart --namespace shop --ready=true',
      other: "Restart the pods that aren't ready in the namespace shop",
      agent: 'sre',
      result: '3 pods restarted',
    },
    {
      task: 'List the customers who have placed an order',
      deed: 'SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders);',
      way: 'WHERE id IN (SELECT customer_id FROM orders)',
      other: 'List the customers who have not placed an order',
      agent: 'sql',
      result: '31 rows',
    },
  ])('keeps “$deed” from “$other”, and its own task is answered', expectOnlyForItsTask);
});

describe('an opposite verb', () => {
  it.each<Pair>([
    {
      task: 'Enable the service cups at boot',
      deed: 'systemctl enable cups',
      other: 'Disable the service cups at boot',
    },
    { task: 'Stop the database postgres-14', deed: 'pgctl stop postgres-14', other: 'Start the database postgres-14' },
    {
      task: 'Grant the role reporting the right to read the table orders',
      deed: 'GRANT SELECT ON orders TO reporting;',
      way: 'GRANT SELECT',
      other: 'Revoke the right of the role reporting to read the table orders',
      agent: 'sql',
      result: 'GRANT',
    },
    {
      task: 'Encrypt the file plans.tar with the passphrase in pass.txt',
      deed: 'gpg --batch --passphrase-file pass.txt --symmetric plans.tar',
      way: '--symmetric',
      other: 'Decrypt the file plans.tar.gpg with the passphrase in pass.txt',
    },
    {
      task: 'Lock the account of the user nora',
      deed: 'usermod --lock nora',
      way: 'usermod --lock',
      other: 'Unlock the account of the user nora',
    },
    {
      task: 'Add the tag “vip” to the contact of this conversation',
      deed: '{"name": "add_tag", "arguments": {"contact": "c_1", "tag": "vip"}}',
      way: 'add_tag',
      other: 'Remove the tag “vip” from the contact of this conversation',
      agent: 'crm',
      result: '{"ok": true}',
    },
    {
      task: 'Subscribe the reader to the weekly newsletter',
      deed: 'POST /newsletters/weekly/subscriptions\n{"reader": "me"}',
      way: 'POST /newsletters',
      other: 'Unsubscribe the reader from the weekly newsletter',
      agent: 'http',
      result: '201 Created',
    },
    {
      task: 'Approve the expense report of the team offsite',
      deed: 'approve_report(report="team offsite")',
      way: 'approve_report',
      other: 'Reject the expense report of the team offsite',
      agent: 'finance',
      result: 'approved',
    },
    {
      task: 'Allow incoming connections on port 8080 in the firewall',
      deed: 'ufw allow 8080/tcp',
      other: 'Deny incoming connections on port 8080 in the firewall',
    },
    {
      task: 'Mount the disk /dev/sdb1 at /mnt/archive',
      deed: 'mount /dev/sdb1 /mnt/archive',
      other: 'Unmount the disk /dev/sdb1 from /mnt/archive',
    },
    {
      task: 'Run the tests, including those that are marked as slow',
      deed: 'pytest --runslow',
      other: 'Run the tests, excluding those that are marked as slow',
    },
    {
      task: 'Desactiva las notificaciones del proyecto Luna',
      deed: 'notify.set(project="Luna", enabled=False)',
      way: 'notify.set',
      harm: 'enabled=False',
      other: 'Activa las notificaciones del proyecto Luna',
      agent: 'asistente',
      result: 'ok',
    },
  ])('keeps “$deed” from “$other”, and its own task is answered', expectOnlyForItsTask);
});

describe('an opposite direction or side', () => {
  it.each<Pair>([
    {
      task: 'Copy the new files from /srv/a to /srv/b',
      deed: 'rsync -au /srv/a/ /srv/b/',
      other: 'Copy the new files from /srv/b to /srv/a',
    },
    {
      task: 'Merge the branch develop into main',
      deed: 'git checkout main && git merge develop',
      other: 'Merge the branch main into develop',
    },
    {
      task: 'Restore the database shop from the copy in shop_backup',
      deed: 'pg_dump shop_backup | psql shop',
      other: 'Back up the database shop into the copy in shop_backup',
    },
    {
      task: 'Move 50 credits from the wallet north to the wallet south',
      deed: 'wallet transfer --from north --to south --credits 50',
      way: '--from north --to south',
      other: 'Move 50 credits from the wallet south to the wallet north',
      agent: 'wallet',
      result: 'done',
    },
    {
      task: 'Delete the backups in /backups that are older than 30 days',
      deed: "find /backups -name '*.bak' -mtime +30 -delete",
      way: '-mtime +30',
      other: 'Delete the backups in /backups that are newer than 30 days',
    },
    {
      task: 'Delete the pictures in /srv/pics that are larger than 5 MB',
      deed: "find /srv/pics -name '*.png' -size +5M -delete",
      way: '-size +5M',
      other: 'Delete the pictures in /srv/pics that are smaller than 5 MB',
    },
    {
      task: 'Delete the events from before 2024',
      deed: "DELETE FROM events WHERE created_at < '2024-01-01';",
      way: "created_at < '2024-01-01'",
      other: 'Delete the events from after 2024',
      agent: 'sql',
      result: 'DELETE 88',
    },
    {
      task: 'Scale the deployment checkout up from 3 to 12 replicas',
      deed: 'kubectl scale deployment checkout --replicas=12',
      way: '--replicas=12',
      other: 'Scale the deployment checkout down from 12 to 3 replicas',
      agent: 'sre',
      result: 'deployment.apps/checkout scaled',
    },
  ])('keeps “$deed” from “$other”, and its own task is answered', expectOnlyForItsTask);
});

describe('where both opposites are known', () => {
  it.each<{ one: Pair; two: Pair }>([
    {
      one: { task: 'Enable the feature dark-mode', deed: 'flagctl on dark-mode', other: '' },
      two: { task: 'Disable the feature dark-mode', deed: 'flagctl off dark-mode', other: '' },
    },
    {
      one: {
        task: 'Archive the messages in the folder “Done”',
        deed: 'mailbox archive --folder Done',
        other: '',
        agent: 'mail',
      },
      two: {
        task: 'Archive all messages except those in the folder “Done”',
        deed: 'mailbox archive --all --skip-folder Done',
        other: '',
        agent: 'mail',
      },
    },
    {
      one: { task: 'Sync the pictures from phone to laptop', deed: 'psync phone: laptop:', other: '' },
      two: { task: 'Sync the pictures from laptop to phone', deed: 'psync laptop: phone:', other: '' },
    },
  ])('each task gets its own: “$one.deed” and “$two.deed”', async ({ one, two }) => {
    const tenantId = unique('both');
    await learn(account.client, tenantId, [run(one), run(two)]);
    for (const [own, opposite] of [
      [one, two],
      [two, one],
    ] as const) {
      const { told } = await ask(account.client, tenantId, own.task, own.agent ?? 'shell');

      expect(toldOf(told, [own.deed, opposite.deed])).toEqual([own.deed]);
    }
  });

  it('many runs of the one do not outvote the other', async () => {
    const tenantId = unique('outvoted');
    const on = { task: 'Open the valve of the tank for ten minutes', deed: 'plant valve --open --minutes 10' };
    const off = { task: 'Close the valve of the tank for ten minutes', deed: 'plant valve --close --minutes 10' };
    const agent = 'plant';
    const openings = Array.from({ length: 6 }, (_, at) => run({ ...on, agent, result: `ok, level ${40 + at} %` }));
    await learn(account.client, tenantId, [...openings, run({ ...off, agent, result: 'ok' })]);

    const { told } = await ask(account.client, tenantId, off.task, agent);

    expect(toldOf(told, [on.deed, off.deed])).toEqual([off.deed]);
  });
});
