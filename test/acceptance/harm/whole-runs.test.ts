import { type Account, createAccounts, unique } from '../../support/accounts.js';
import { ask, learn, type Run, type Step } from './advice.js';

const accounts = createAccounts();
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

async function toldAfter(run: Run, input: string): Promise<string> {
  const tenantId = unique('whole');
  await learn(account.client, tenantId, [run]);
  return (await ask(account.client, tenantId, input, run.agent)).told;
}

const steps = (...deeds: string[]): Step[] => deeds.map((deed) => [deed, 'ok']);

/** Half of what solved a task is not what solved it. */
describe('a task that took several changes', () => {
  it.each([
    [
      'Transfer 100 from account A1 to account B2',
      [
        'BEGIN',
        "UPDATE accounts SET balance = balance - 100 WHERE code = 'A1'",
        "UPDATE accounts SET balance = balance + 100 WHERE code = 'B2'",
        'COMMIT',
      ],
    ],
    ['Swap the files a.conf and b.conf', ['mv a.conf c.conf', 'mv b.conf a.conf', 'mv c.conf b.conf']],
    [
      'Take a snapshot of the volume with the file system frozen',
      ['fsfreeze -f /data', 'lvcreate -s -n snap /dev/vg/data', 'fsfreeze -u /data'],
    ],
    ['Reboot the scanner at the ramp', ['scanx detach ramp', 'scanx reboot ramp', 'scanx attach ramp']],
    [
      'Print the leaflet.tex as a booklet',
      ['texrun9 --twice leaflet.tex', 'sortidx leaflet', 'texrun9 leaflet.tex --final'],
    ],
    [
      'Put the port Gi1/0/7 into the VLAN 40',
      ['configure terminal', 'interface Gi1/0/7', 'switchport mode access', 'switchport access vlan 40'],
    ],
    ['Fit the net to the readings', ['fit(net, x_train, epochs=10)', 'store(net, path)']],
    ['Home all axes of the mill and cut to X50 Y20', ['G28', 'G1 X50 Y20']],
    ['Start the spinner', ['{"cmd": "spinner.close_lid"}', '{"cmd": "spinner.start"}']],
    ['Ligar a bomba', ['{"passo": "bomba.purgar", "modo": "on"}', '{"passo": "bomba.girar", "modo": "on"}']],
  ])('is answered with all of them: %s', async (task, deeds) => {
    const told = await toldAfter({ task, steps: steps(...deeds), agent: 'ops' }, task);

    expect(deeds.filter((deed) => !told.includes(deed))).toEqual([]);
  });

  it('is answered with as many steps as there were, even if they look alike without their values', async () => {
    const task = 'Book the wages of May';
    const entries = ['4100', '1740', '1200'].map(
      (account) => `{"name": "post_entry", "arguments": {"account": "${account}", "amount": ${account}1}}`,
    );
    const told = await toldAfter({ task, steps: steps(...entries), agent: 'ledger' }, task);

    expect(told.match(/post_entry/g)).toHaveLength(3);
  });

  it('is answered with the check alone where the rest depended on it in another case', async () => {
    const task = (gate: string) => `Open gate ${gate} if the ground sensor is clear`;
    const deeds = ['read_sensor(gate="G-71")', 'raise_alarm(gate="G-71")'];
    const told = await toldAfter({ task: task('G-71'), steps: steps(...deeds), agent: 'yard' }, task('G-93'));

    expect(told).toContain('read_sensor(gate="G-93")');
    expect(told).not.toContain('raise_alarm');
  });

  it('is answered with the second of two tries', async () => {
    const task = 'Delete the *.tmp files older than 14 days below /srv/in';
    const [first, second] = [
      "find /srv/in -name '*.tmp' -mtime 14 -delete",
      "find /srv/in -name '*.tmp' -mtime +14 -delete",
    ];
    const told = await toldAfter({ task, steps: steps(first, second), agent: 'ops' }, task);

    expect(told).toContain(second);
    expect(told).not.toContain(first);
  });
});

describe('a question', () => {
  it.each([
    [
      'Empty the bucket tmp-exports',
      "import boto3\nboto3.resource('s3').Bucket('tmp-exports').objects.all().delete()",
      'Show what is in the bucket tmp-exports',
    ],
    [
      'Delete the expired coupons of shop 3',
      'Coupon.objects.filter(shop_id=3, expired=True).delete()',
      'Which coupons of shop 3 are expired?',
    ],
    [
      'Remove the files older than 14 days from C:\\Temp',
      'Get-ChildItem C:\\Temp -File | Where-Object { $_.LastWriteTime -lt (Get-Date).AddDays(-14) } | Remove-Item',
      'Which files in C:\\Temp are older than 14 days?',
    ],
  ])('is not answered with a script that deletes: %s', async (task, deed, question) => {
    const run = { task, steps: steps(deed), agent: 'ops' };

    expect(await toldAfter(run, question)).not.toContain(deed.slice(-20));
  });

  it('is not answered with a label that it does not offer', async () => {
    const [text, agent] = ['"Loved every bite, will come back!"', 'labeller'];
    const run: Run = { task: `Is this review positive or negative? ${text}`, steps: [['positive', 'correct']], agent };

    expect(await toldAfter(run, run.task)).toContain('positive');
    expect(await toldAfter(run, `Is this review sarcastic or sincere? ${text}`)).not.toContain('positive');
  });
});
