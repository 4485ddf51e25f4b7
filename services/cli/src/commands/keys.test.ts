import { type AuditEntry, type KeyEvent, topics } from '@whetstone/contracts';
import { decodeMessage, type EventLog, type Following } from '@whetstone/event-log';
import { createApiKeys, createKeyRing, type KeyRing, parseApiKey } from '@whetstone/identity';

import { TestInstallation } from '../test-kit/installation.js';

interface KeyAnswer {
  key: string;
  key_id: string;
  account: string;
  status: string;
  trust: string;
  scopes: string[];
  expires_at?: string;
}

const hourMs = 3_600_000;
let whetstone: TestInstallation;

beforeEach(async () => {
  whetstone = await TestInstallation.create();
});
afterEach(() => whetstone.remove());

describe('keys issue', () => {
  it('answers a program with one object that has the key, its id and its account', async () => {
    const issued = await issue();

    expect(issued).toMatchObject({
      key_id: parseApiKey(issued.key)?.keyId,
      account: 'acme',
      status: 'active',
      approved_by: 'Ada',
      reason: 'checkout team',
      issued_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    });
  });

  it('makes a key that the servers accept, and leaves an audit record without it', async () => {
    const { key, key_id: keyId } = await issue();

    expect(await accepts(key)).toBe('acme');
    const [event] = await whetstone.read<KeyEvent>(topics.keys.name);
    expect(event).toMatchObject({ type: 'issued', keyId, account: 'acme', approvedBy: 'Ada', reason: 'checkout team' });
    expect(JSON.stringify(event)).not.toContain(key.split('_')[2]);
  });

  it('is in the audit trail of the account as the work of an operator, as its revocation is', async () => {
    const { key, key_id: keyId } = await issue();
    await whetstone.ask('keys', 'revoke', '--key-id', keyId, '--reason', 'gone');
    const entries = await whetstone.read<AuditEntry>(topics.audit.name);

    const common = { account: 'acme', subject: keyId };
    const issued = { scopes: ['ask', 'record', 'curate'], trust: 'normal', approved_by: 'Ada' };
    expect(entries.map(({ id: _, at: __, ...entry }) => entry)).toEqual([
      { ...common, action: 'key.issued', details: issued },
      { ...common, action: 'key.issued', details: issued, outcome: 'done' },
      { ...common, action: 'key.revoked', details: {} },
      { ...common, action: 'key.revoked', details: {}, outcome: 'done' },
    ]);
    expect(JSON.stringify(entries)).not.toContain(key.split('_')[2]);
  });

  it('shows a person the key and what was recorded', async () => {
    const { code, stdout } = await whetstone.run(...issueCommand());

    expect(code).toBe(0);
    expect(stdout).toMatch(/shown only this once.*\n {2}wst_\w+\n.*account +acme\n.*approved by +Ada\n/s);
  });

  it('gives a key the trust that is asked for, normal unless told, and shows it', async () => {
    const [normal, low] = [await issue(), await issue('acme', '--trust', 'low')];

    expect([normal.trust, low.trust]).toEqual(['normal', 'low']);
    expect(await trustOf(low.key)).toBe('low');
    expect(await trustOf(normal.key)).toBeUndefined();
    expect((await whetstone.run(...issueCommand(), '--trust', 'high')).stdout).toMatch(/trust +high\n/);
    const { stdout } = await whetstone.run('keys', 'list');
    expect(stdout).toMatch(/KEY ID +ACCOUNT +TRUST/);
    expect(stdout).toMatch(new RegExp(`${low.key_id} +acme +low +active`));
    expect(stdout).toMatch(new RegExp(`${normal.key_id} +acme +normal +active`));
  });

  it('lets a key ask, record and curate unless told otherwise', async () => {
    const [usual, agent] = [await issue(), await issue('acme', '--scope', 'record', '--scope', 'ask')];

    expect([usual.scopes, agent.scopes]).toEqual([
      ['ask', 'record', 'curate'],
      ['ask', 'record'],
    ]);
    expect((await authenticated(agent.key))?.scopes).toEqual(['ask', 'record']);
    const { stdout } = await whetstone.run('keys', 'list');
    expect(stdout).toMatch(new RegExp(`${usual.key_id} .* ask, record, curate +never `));
    expect(stdout).toMatch(new RegExp(`${agent.key_id} .* ask, record +never `));
  });

  it('makes a key that expires', async () => {
    const { key, key_id: keyId, expires_at: expiresAt = '' } = await issue('acme', '--expires', '2h');

    expect(await accepts(key, hourMs)).toBe('acme');
    expect(await accepts(key, 2 * hourMs)).toBeUndefined();
    const { stdout } = await whetstone.run('keys', 'list');
    expect(stdout).toMatch(new RegExp(`${keyId} .*${expiresAt.slice(0, 19).replace('T', ' ')}`));
  });

  it.each([
    ['--scope', 'everything', 'Allowed choices are ask, record, curate, admin', 2],
    ['--expires', 'tomorrow', 'Expected a number and a unit', 2],
    ['--expires', '0', 'Expected a number and a unit', 2],
    ['--expires', '0s', 'The expiry must be in the future', 1],
    ['--expires', '999999d', 'at most ten years from now', 1],
  ])('refuses %s %s, and records nothing', async (option, value, message, code) => {
    expect(await whetstone.run(...issueCommand(), option, value)).toMatchObject({
      code,
      stderr: expect.stringContaining(message),
    });
    expect(await whetstone.read(topics.keys.name)).toEqual([]);
  });

  it('knows no other trust, and then records nothing', async () => {
    expect(await whetstone.run(...issueCommand(), '--trust', 'full')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Allowed choices are low, normal, high'),
    });
    expect(await whetstone.read(topics.keys.name)).toEqual([]);
  });

  it('refuses an account without a name, and records nothing', async () => {
    const { code, stderr } = await whetstone.run(
      'keys',
      'issue',
      '--account',
      ' ',
      '--approved-by',
      'A',
      '--reason',
      'r',
    );

    expect(code).toBe(1);
    expect(stderr).toContain('The account must be 1 to 128 characters');
    expect(await whetstone.read(topics.keys.name)).toEqual([]);
  });
});

describe('keys, while a server runs on the folder,', () => {
  it('are issued and revoked, and the server learns of it', async () => {
    const ring = createKeyRing(createApiKeys(whetstone.roots));
    await whetstone.withLog(async (serversLog) => {
      const following = await followKeys(serversLog, ring);
      const { key, key_id: keyId } = await issue();
      await following.catchUp(keyId);
      expect(ring.authenticate(key, whetstone.now())?.account).toBe('acme');

      await whetstone.run('keys', 'revoke', '--key-id', keyId, '--reason', 'left');
      await following.catchUp(keyId);
      expect(ring.authenticate(key, whetstone.now())).toBeUndefined();
    });
  });
});

describe('keys list', () => {
  it('tells of all keys, or those of one account, and shows no key', async () => {
    const [one, two] = [await issue('acme'), await issue('other')];
    await whetstone.run('keys', 'revoke', '--key-id', one.key_id, '--reason', 'left');

    const { keys } = await whetstone.ask<{ keys: KeyAnswer[] }>('keys', 'list');
    expect(keys).toEqual([
      expect.objectContaining({ key_id: one.key_id, account: 'acme', status: 'revoked', revocation_reason: 'left' }),
      expect.objectContaining({ key_id: two.key_id, account: 'other', status: 'active' }),
    ]);
    expect(JSON.stringify(keys)).not.toContain('wst_');

    const { stdout } = await whetstone.run('keys', 'list', '--account', 'other');
    expect(stdout).toContain(two.key_id);
    expect(stdout).not.toContain(one.key_id);
  });

  it('says so when there is none', async () => {
    expect((await whetstone.run('keys', 'list')).stdout).toContain('No keys yet.');
  });
});

describe('keys rotate', () => {
  it('makes a key for the same account and lets the old one count until the overlap is over', async () => {
    const old = await issue();
    const fresh = await rotate(old.key_id, '--overlap', '2h');

    expect(fresh.account).toBe('acme');
    expect(await accepts(fresh.key)).toBe('acme');
    expect(await accepts(old.key, hourMs)).toBe('acme');
    expect(await accepts(old.key, 3 * hourMs)).toBeUndefined();
    expect(await accepts(fresh.key, 3 * hourMs)).toBe('acme');
  });

  it('keeps the trust of the old key, unless another is asked for', async () => {
    const old = await issue('acme', '--trust', 'low');

    const fresh = await rotate(old.key_id);
    expect(fresh.trust).toBe('low');
    expect(await trustOf(fresh.key)).toBe('low');
    expect((await rotate(fresh.key_id, '--trust', 'normal')).trust).toBe('normal');
  });

  it('keeps the scopes and the length of life of the old key, unless others are asked for', async () => {
    const old = await issue('acme', '--scope', 'ask', '--expires', '2h');

    const fresh = await rotate(old.key_id);
    const other = await rotate(fresh.key_id, '--scope', 'record', '--expires', '5h');

    expect([fresh.scopes, other.scopes]).toEqual([['ask'], ['record']]);
    expect(await accepts(fresh.key, hourMs)).toBe('acme');
    expect(await accepts(fresh.key, 3 * hourMs)).toBeUndefined();
    expect(await accepts(other.key, 4 * hourMs)).toBe('acme');
    expect(await accepts(other.key, 6 * hourMs)).toBeUndefined();
  });

  it('overlaps for a day unless told otherwise', async () => {
    const old = await issue();
    await rotate(old.key_id);

    expect(await accepts(old.key, 23 * hourMs)).toBe('acme');
    expect(await accepts(old.key, 25 * hourMs)).toBeUndefined();
  });

  it('never lengthens the life of a key that is ending already', async () => {
    const old = await issue();
    await rotate(old.key_id, '--overlap', '1h');
    await rotate(old.key_id, '--overlap', '7d');

    expect(await accepts(old.key, 2 * hourMs)).toBeUndefined();
    const revocations = (await whetstone.read<KeyEvent>(topics.keys.name)).filter(({ type }) => type === 'revoked');
    const ends = revocations.map((event) => (event.type === 'revoked' ? event.effectiveAt : 0));
    expect(ends.at(-1)).toBe(ends[0]);
  });

  it('refuses a revoked key and an unknown one, and issues nothing', async () => {
    const old = await issue();
    await whetstone.run('keys', 'revoke', '--key-id', old.key_id, '--reason', 'left');

    expect(await whetstone.run(...rotateCommand(old.key_id))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is revoked. To issue a new one'),
    });
    expect(await whetstone.run(...rotateCommand('0000000000000000'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No key has the id 0000000000000000'),
    });
    expect(await whetstone.read(topics.keys.name)).toHaveLength(2);
  });
});

describe('keys revoke', () => {
  it('ends a key at once, also one that was ending later', async () => {
    const old = await issue();
    await rotate(old.key_id, '--overlap', '7d');

    const answer = await whetstone.ask('keys', 'revoke', '--key-id', old.key_id, '--reason', 'leaked');

    expect(answer).toMatchObject({ key_id: old.key_id, status: 'revoked', revocation_reason: 'leaked' });
    expect(await accepts(old.key)).toBeUndefined();
  });

  it('does nothing when it is done already', async () => {
    const { key_id: keyId } = await issue();
    const revoke = () => whetstone.run('keys', 'revoke', '--key-id', keyId, '--reason', 'left');
    await revoke();

    expect(await revoke()).toMatchObject({ code: 0, stdout: expect.stringContaining('was already revoked') });
    expect(await whetstone.read(topics.keys.name)).toHaveLength(2);
  });

  it('takes the whole key too, from whoever has nothing else at hand', async () => {
    const { key } = await issue();

    expect((await whetstone.run('keys', 'revoke', '--key-id', key, '--reason', 'leaked')).code).toBe(0);
    expect(await accepts(key)).toBeUndefined();
  });
});

function followKeys(log: EventLog, ring: KeyRing): Promise<Following> {
  return log.follow({
    topic: topics.keys.name,
    onEvents: async (events) => {
      for (const { value } of events) ring.apply(await decodeMessage<KeyEvent>(value));
    },
    onReset: () => {},
    onCrash: () => {},
  });
}

function issueCommand(account = 'acme'): string[] {
  return ['keys', 'issue', '--account', account, '--approved-by', 'Ada', '--reason', 'checkout team'];
}

function rotateCommand(keyId: string): string[] {
  return ['keys', 'rotate', '--key-id', keyId, '--approved-by', 'Ada', '--reason', 'yearly'];
}

function issue(account?: string, ...more: string[]): Promise<KeyAnswer> {
  return whetstone.ask(...issueCommand(account), ...more);
}

function rotate(keyId: string, ...more: string[]): Promise<KeyAnswer> {
  return whetstone.ask(...rotateCommand(keyId), ...more);
}

/** The account that a server would take the caller for. */
async function accepts(key: string, laterMs = 0): Promise<string | undefined> {
  return (await authenticated(key, laterMs))?.account;
}

async function trustOf(key: string): Promise<string | undefined> {
  return (await authenticated(key))?.trust;
}

async function authenticated(key: string, laterMs = 0) {
  const ring = createKeyRing(createApiKeys(whetstone.roots));
  for (const event of await whetstone.read<KeyEvent>(topics.keys.name)) ring.apply(event);
  return ring.authenticate(key, whetstone.now() + laterMs * 1000);
}
