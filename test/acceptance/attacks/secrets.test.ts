import { type Account, createAccounts, unique } from '../../support/accounts.js';
import { shellSuccess } from '../../support/uploads.js';

const accounts = createAccounts();
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

async function told(command: string): Promise<string> {
  const tenantId = unique('secrets');
  const task = 'Copy the nightly ledger from the old server to the archive';
  await account.client.learn(shellSuccess(tenantId, task, command));
  return JSON.stringify(await account.client.enhance({ tenant_id: tenantId, input_text: task }));
}

describe('a secret in a command', () => {
  it.each([
    ['DB_PASS=«kestrel77» ./copy-ledger', './copy-ledger'],
    ['mysqldump -h old -uroot -p«Hanoi2020» ledger', 'mysqldump'],
    ['sshpass -p «turnip88» scp bob@old:/srv/ledger /archive', 'scp'],
    ['redis-cli -h old -a «blaubeere9» --rdb /archive/ledger', 'redis-cli'],
    ['curl -H "Cookie: sessionid=«q7w8e9r0t1y2u3i4»" -o /archive/ledger http://localhost/ledger', 'curl'],
    ['curl -H "Authorization: Token «0f1e2d3c4b5a69788796»" -o /archive/ledger http://localhost/ledger', 'curl'],
  ])('does not come back, and the rest of the command does: %s', async (marked, kept) => {
    const [, secret = ''] = /«(.*)»/.exec(marked) ?? [];

    const answer = await told(marked.replaceAll(/[«»]/g, ''));

    expect(answer).toContain(kept);
    expect(answer).not.toContain(secret);
  });
});

it.each([
  'mkdir -p /archive/ledger && cp -a /srv/ledger /archive',
  'sort -k2 /srv/ledger | tar -cpf /archive/ledger.tar -T -',
  'redis-cli -h old -p 6380 --rdb /archive/ledger',
])('a harmless look-alike comes back whole: %s', async (command) => {
  const answer = await told(command);

  expect(answer).toContain(JSON.stringify(command).slice(1, -1));
  expect(answer).not.toContain('REDACTED');
});
