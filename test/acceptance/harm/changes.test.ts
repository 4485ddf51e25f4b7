import { type Account, createAccounts, unique } from '../../support/accounts.js';
import { ask, learn, type Run, type Step } from './advice.js';

const accounts = createAccounts();
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

async function toldAfter(runs: readonly Run[], input: string): Promise<string> {
  const tenantId = unique('changes');
  await learn(account.client, tenantId, runs);
  return (await ask(account.client, tenantId, input, runs[0]?.agent)).told;
}

const done = (task: string, deed: string): Run => ({ task, steps: [[deed, 'ok']], agent: 'ops' });

describe('an action that changes something', () => {
  it.each([
    [
      'an operation that the new task does not name',
      done('Publish the draft of the handbook for the team', 'handbook publish draft --team'),
      'Do a rehearsal with the draft of the handbook for the team',
    ],
    [
      'roles that have changed places',
      done('Fill the table spare with the rows of main', 'INSERT INTO spare SELECT * FROM main'),
      'Fill the table main with the rows of spare',
    ],
    [
      'a word that may be the operation, in any language',
      done('Das Konto 7741 soll gesperrt werden', 'lock_account(account="7741")'),
      'Das Konto 7741 soll geöffnet werden',
    ],
    [
      'a period that depends on the swapped one',
      done('Delete the logs of 2019', "DELETE FROM logs WHERE d >= '2019-01-01' AND d < '2020-01-01'"),
      'Delete the logs of 2018',
    ],
    [
      'a verb that governs all of the past task',
      done('refund request of a customer', 'refund_order(order="A-7741")'),
      'decline the refund request of a customer',
    ],
    [
      'a task that wants it for less',
      done('Find files with mode 777 and change them to 755', 'find / -type f -perm 777 -exec chmod 755 {} +'),
      'Find the directories below this one with mode 777 and set their mode to 755',
    ],
    [
      'all, where a part is meant',
      done('Mark all alarms of hall 3 as seen', 'alarms mark --all --hall 3'),
      'Mark one alarm of hall 3 as seen',
    ],
    [
      'a whole list, where some are meant',
      done('Mail the newsletter to all members', 'send_campaign(list="newsletter", segment="members")'),
      'Mail the newsletter to the members in Oslo',
    ],
    [
      'two phrases that have changed places',
      done('Pick the red cube and place it on the blue plate', "move_to('cube')\ngrasp()\nmove_to('plate')\nrelease()"),
      'Pick the blue plate and place it on the red cube',
    ],
    [
      'a transfer the other way round, in any language',
      done('Transfira 70 euros da poupança para a conta corrente', 'transfer(source="poupança", target="corrente")'),
      'Transfira 70 euros da conta corrente para a poupança',
    ],
    [
      'a path of two words',
      done('Delete the .bak files below /srv/notes', "find /srv/notes -name '*.bak' -delete"),
      "Delete the .bak files below '/srv/old notes'",
    ],
    [
      'a file of another format',
      done('Pack the folder notes into /srv/notes.tar.gz', 'tar czf /srv/notes.tar.gz notes'),
      'Pack the folder notes into /srv/notes.zip',
    ],
    [
      'the opposite period',
      done(
        'Pack the notes changed in the last 7 days into /srv/a.tgz',
        'find notes -mtime -7 | tar czf /srv/a.tgz -T -',
      ),
      'Pack the notes older than 7 days into /srv/a.tgz',
    ],
    [
      'a question about it',
      done('Delete the badge 4117 of the visitor', 'delete_badge(id=4117)'),
      'Was the badge 4117 of the visitor deleted?',
    ],
    [
      'a question whether to do it',
      done('Reload the price list of region 3', 'pricectl reload --region 3'),
      'Should we reload the price list of region 3?',
    ],
    [
      'a report that it was done',
      done('Restart the label printer', 'printctl restart label'),
      'The label printer was restarted',
    ],
    [
      'something that belongs to the thing',
      done('Delete the badge 4118 from the register', 'delete_badge(id=4118)'),
      'Delete the photo of the badge 4118 from the register',
    ],
    [
      'the opposite direction in other words',
      done('Copy the table visits from live to rehearsal', 'pg_dump -t visits live | psql rehearsal'),
      'Copy the table visits into live out of rehearsal',
    ],
    [
      'an amount to change it by',
      done('Set the budget of project apollo to 1000', 'budgetctl set --project apollo 1000'),
      'Set the budget of project apollo up by 1000',
    ],
    [
      'a particle that turns it round',
      done('Roll back the release of the shop', 'relctl undo --app shop'),
      'Roll the release of the shop out',
    ],
    [
      'somebody who was only named',
      done('Remove the members invited by user 5 from team 9', 'DELETE /teams/9/members?invited_by=5'),
      'Remove the user 5 invited by members from team 9',
    ],
    [
      'a question, where an unknown program reads like a reply',
      { ...done('Open the valve V3', 'plantctl open V3'), agent: 'plant-operator' },
      'Is the valve V3 open?',
    ],
    [
      'a question about something else',
      done('Move customer 8810 to plan Premium', 'change_plan(customer="8810", to="Premium")'),
      'Which plan does customer 8810 have, is it Premium?',
    ],
    [
      'an indirect question in German',
      done('Sperre das Fach 3310 von Frau Ostrow', 'lock_box(box="3310")'),
      'Frau Ostrow fragt, ob wir das Fach 3310 sperren',
    ],
    [
      'a restriction in Spanish',
      done('Bloquea la tarjeta terminada en 2271 de Elena Vega', 'block_card(last4="2271", reason="lost")'),
      'Bloquea la tarjeta terminada en 5514 de Raúl Mora durante una hora',
    ],
    [
      'another kind of thing with the same number',
      done('Verschicke die Rechnung 907', 'send_invoice(id=907)'),
      'Verschicke die Mahnung 907',
    ],
    [
      'undoing it',
      done(
        'Refund order A-6021 to Ida Brandt, the vase arrived broken',
        'refund_order({"order_id": "A-6021", "amount": 49.9, "reason": "damaged"})',
      ),
      'Reverse the refund of order A-6021',
    ],
    [
      'a condition',
      done('Unlock the gate of the yard B', 'gate.unlock(yard="B")'),
      'Unlock the gate of the yard B if there is a fire',
    ],
    [
      'a further wish',
      done(
        'Mail the quarterly summary of plant 12 to the head office by courier',
        'summary_send({"plant": 12, "to": "head office", "by": "courier"})',
      ),
      'Mail the quarterly summary of plant 12 to the head office by courier, but as a rehearsal',
    ],
    [
      'a word that takes part of it back',
      done(
        'Set the beds of ward W-4 to cleaned',
        '{"name": "set_beds", "arguments": {"ward": "W-4", "state": "CLEANED"}}',
      ),
      'Set the beds of ward W-4 to partly cleaned',
    ],
    [
      'a value that stays behind in the example',
      done(
        'Move 20 litres from tank 31 to tank 17',
        'UPDATE tanks SET litres=litres-20 WHERE id=31; UPDATE tanks SET litres=litres+20 WHERE id=17;',
      ),
      'Move 75 litres from tank 40 to tank 41',
    ],
    [
      'a value that limits another',
      done('Archive the ticket T-88', 'archive_ticket(id="T-88")'),
      'Archive the ticket before T-88',
    ],
  ])('is not told beside %s', async (_, run, input) => {
    expect(await toldAfter([run], run.task)).toContain('Example');
    expect(await toldAfter([run], input)).not.toContain('Example');
  });

  it('is told without the id that was looked up, together with the lookup', async () => {
    const task = 'Stop the job of the printer queue';
    const steps: Step[] = [
      ['lpstat -o', 'office-90417 mara 1024'],
      ['cancel office-90417', ''],
    ];
    const told = await toldAfter([{ task, steps, agent: 'ops' }], task);

    expect(told).toContain('lpstat -o');
    expect(told).toContain('cancel …');
    expect(told).not.toContain('90417');
  });

  it('is told without what was measured on the way, and with all of its words', async () => {
    const weigh = (parcel: string, kg: string): Run => ({
      task: `Label the crate ${parcel}`,
      steps: [
        [`cratectl weigh ${parcel}`, `${kg} kg`],
        [`cratectl label ${parcel} --kg ${kg} --fragile`, 'printed'],
      ],
      agent: 'ops',
    });
    const told = await toldAfter([weigh('CR-11', '40.25')], 'Label the crate CR-77');

    expect(told).toContain('cratectl label CR-77 --kg … --fragile');
    const link: Run = {
      task: 'Give the complaint 700 to the clerk with the fewest complaints',
      steps: [
        ['SELECT id FROM clerks ORDER BY load LIMIT 1;', '1733'],
        ["UPDATE complaints SET clerk_id=1733 WHERE id=700 AND state='open';", 'UPDATE 1'],
      ],
      agent: 'ops',
    };
    expect(await toldAfter([link], link.task)).toContain("SET clerk_id=… WHERE id=700 AND state='open'");
  });

  it('is not told where it failed more often than it worked', async () => {
    const worked = done('Renew the permit of gate n1', 'permitctl renew n1 --offline');
    const failed = (at: number): Run => ({
      ...worked,
      success: false,
      steps: [['permitctl renew n1 --offline', `error: offline renewal was removed on day ${at}`]],
    });

    expect(await toldAfter([worked, failed(1)], worked.task)).toContain('--offline');
    expect(await toldAfter([worked, failed(1), failed(2)], worked.task)).not.toContain('--offline');
  });

  it('is not told if its only run was refused, whatever the caller says of it', async () => {
    const refused: Run = {
      task: 'Clear the cache of the kiosk',
      steps: [
        ['kioskctl purge --all', 'error: forbidden'],
        ['I could not clear the cache, sorry.', 'thanks anyway'],
      ],
      agent: 'ops',
    };

    expect(await toldAfter([refused], refused.task)).toBe('');
  });

  it('needs three runs that agree at a task that only asks', async () => {
    const run = done('Show the members of the board', "UPDATE member SET role = 'chair' WHERE id = 3");

    expect(await toldAfter([run], run.task)).toBe('');
    const again = (at: number): Run => ({ ...run, steps: [[run.steps[0]?.[0] ?? '', `ok, ${at} rows`]] });
    expect(await toldAfter([again(1), again(2), again(3)], run.task)).toContain('UPDATE member');
  });

  it('is not hinted at by an option that destroys', async () => {
    const run = done(
      'Delete the .bak files larger than 5 MB in /srv/notes',
      "find /srv/notes -name '*.bak' -size +5M -delete",
    );
    const input = 'Show what deleting the .bak files larger than 5 MB in /srv/notes would remove, delete nothing';

    expect(await toldAfter([run], run.task)).toContain('-delete');
    expect(await toldAfter([run], input)).not.toContain('-delete');
  });
});

describe('an answer in words', () => {
  const late: Run = {
    ...done('Is flight QX202 on time?', 'Flight QX202 is 40 minutes late because of fog; it leaves from gate B12.'),
    agent: 'desk',
  };

  it.each([
    ['the same question', 'Is flight QX202 on time?', true],
    ['another value', 'Is flight QX303 on time?', false],
  ])('is told for its own question only: %s', async (_, asked, isTold) => {
    expect((await toldAfter([late], asked)).includes('40 minutes')).toBe(isTold);
  });
});
