import { defaultScopes, type Micros, type Scope, scopes, type Trust, trustLevels } from '@whetstone/contracts';
import { type KeyRecord, statusOfKey } from '@whetstone/identity';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { chooseInstallation } from '../installation/choose-installation.js';
import { answer, type CliIo, type CommonOptions, facts, shortTimeOf, table, timeOf } from '../io.js';
import type { KeyBook } from '../key-book.js';

export function addKeyCommands(program: Command, io: CliIo): void {
  const keys = program.command('keys').description('manage API keys').addHelpText('after', help);

  const trust = () =>
    new Option(
      '--trust <level>',
      'trust level of its uploads; lessons from low-trust keys are held until others confirm them',
    ).choices(trustLevels);
  const scope = () => new Option('--scope <scope...>', 'what the key may do; repeat it for several').choices(scopes);
  const expires = () =>
    new Option('--expires <time>', 'how long the key is valid, such as 12h or 90d').argParser(parseDuration);
  keys
    .command('issue')
    .description('issue a key for an account and show it once')
    .requiredOption('--account <name>', 'account that owns the key; a new name makes a new account')
    .requiredOption('--approved-by <who>', 'who approved the key (audit record)')
    .requiredOption('--reason <text>', 'why (audit record)')
    .addOption(scope().default(defaultScopes, defaultScopes.join(', ')))
    .addOption(expires().default(undefined, 'for ever'))
    .addOption(trust().default('normal'))
    .action((_, command: Command) => act(command, issue));

  keys
    .command('list')
    .description('list all keys ever issued, by id: the keys themselves are not stored')
    .option('--account <name>', 'only keys of this account')
    .action((_, command: Command) => act(command, list));

  const overlap = new Option('--overlap <time>', 'how long the old key stays valid: 90s, 30m, 24h, 7d or 0')
    .argParser((text) => (text === '0' ? 0 : parseDuration(text)))
    .default(parseDuration('24h'), '24h');
  keys
    .command('rotate')
    .description('replace a key: issue a new one for its account and revoke the old one after the overlap')
    .requiredOption('--key-id <id>', 'id of the old key')
    .requiredOption('--approved-by <who>', 'who approved the key (audit record)')
    .requiredOption('--reason <text>', 'why (audit record)')
    .addOption(overlap)
    .addOption(scope())
    .addOption(expires())
    .addOption(trust())
    .action((_, command: Command) => act(command, rotate));

  keys
    .command('revoke')
    .description('revoke a key; every gateway refuses it within a second')
    .requiredOption('--key-id <id>', 'id of the key')
    .requiredOption('--reason <text>', 'why (audit record)')
    .action((_, command: Command) => act(command, revoke));

  async function act<Options extends CommonOptions>(
    command: Command,
    work: (book: KeyBook, options: Options, io: CliIo) => Promise<void>,
  ): Promise<void> {
    const options = command.optsWithGlobals<Options>();
    const { withKeyBook } = await import('../key-book.js');
    await withKeyBook(await chooseInstallation(options, io), io, (book) => work(book, options, io));
  }
}

interface IssueOptions extends CommonOptions {
  account: string;
  approvedBy: string;
  reason: string;
  trust: Trust;
  scope: readonly Scope[];
  expires?: Micros;
}

async function issue(book: KeyBook, options: IssueOptions, io: CliIo): Promise<void> {
  const { key, record } = await book.issue({ ...options, scopes: options.scope, expiresAt: expiryOf(options, io) });
  await answer(io, options, { key, ...keyObject(record, io.clock.now()) }, describeKey(key, record));
}

async function list(book: KeyBook, options: CommonOptions & { account?: string }, io: CliIo): Promise<void> {
  const records = book.list().filter(({ account }) => options.account === undefined || account === options.account);
  const now = io.clock.now();
  await answer(io, options, { keys: records.map((record) => keyObject(record, now)) }, describeKeys(records, now));
}

interface RotateOptions extends CommonOptions {
  keyId: string;
  approvedBy: string;
  reason: string;
  overlap: number;
  trust?: Trust;
  scope?: readonly Scope[];
  expires?: Micros;
}

async function rotate(book: KeyBook, options: RotateOptions, io: CliIo): Promise<void> {
  const { key, record, oldKeyId, oldKeyEnds } = await book.rotate({
    ...options,
    scopes: options.scope,
    expiresAt: expiryOf(options, io),
  });
  await answer(
    io,
    options,
    { key, ...keyObject(record, io.clock.now()), rotated_key_id: oldKeyId, rotated_key_ends_at: timeOf(oldKeyEnds) },
    `${describeKey(key, record)}\n\nThe old key ${oldKeyId} is valid until ${shortTimeOf(oldKeyEnds)} UTC.`,
  );
}

function expiryOf({ expires }: { expires?: Micros }, { clock }: CliIo): Micros | undefined {
  return expires === undefined ? undefined : clock.now() + expires;
}

async function revoke(book: KeyBook, options: CommonOptions & { keyId: string; reason: string }, io: CliIo) {
  const { record, already } = await book.revoke(options);
  const ended = shortTimeOf(record.revocation?.effectiveAt ?? 0);
  const text = already
    ? `The key ${record.keyId} of ${record.account} was already revoked, effective ${ended} UTC.`
    : `The key ${record.keyId} of ${record.account} is revoked.`;
  await answer(io, options, keyObject(record, io.clock.now()), text);
}

const help = `
A key is shown once, when it is issued; only a keyed hash of it is stored. Its id is the part after wst_.
Issuing and revoking leave an audit record (account, approver, reason, time), and an entry in GET /audit.

Lessons from low-trust keys are withheld until a key of higher trust confirms them, or three runs of several keys agree. Use
low trust for agents that process untrusted text or are on trial.

Scopes: ask for enhance_task; record for uploads and their jobs; curate for lessons and deletions; admin for the account's keys,
usage and audit trail over REST.
An agent needs ask and record. Servers refuse an expired key like a revoked one.

A rotated key keeps its scopes, its trust and its validity period unless you set --scope, --trust or --expires.

Examples:
  $ whetstone keys issue --account acme --approved-by Ada --reason "checkout team" --json | jq -r .key
  $ whetstone keys issue --account acme --approved-by Ada --reason "crawler on trial" --trust low
  $ whetstone keys issue --account acme --approved-by Ada --reason "crawler" --scope ask --scope record --expires 90d
  $ whetstone keys rotate --key-id 0a1b2c3d4e5f6g7h --approved-by Ada --reason yearly --overlap 7d
  $ whetstone keys revoke --key-id 0a1b2c3d4e5f6g7h --reason "leaked in a build log"`;

const unitMicros = { s: 1e6, m: 60e6, h: 3600e6, d: 86_400e6 };

/** `90s`, `30m`, `24h` or `7d`, in microseconds. */
function parseDuration(text: string): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (number === undefined || unit === undefined) {
    throw new InvalidArgumentError('Expected a number and a unit, such as 90s, 30m, 24h or 7d.');
  }
  return Number(number) * unitMicros[unit as keyof typeof unitMicros];
}

function keyObject(record: KeyRecord, now: Micros): object {
  const { keyId, account, trust, scopes, expiresAt, issuedAt, approvedBy, reason, revocation } = record;
  return {
    key_id: keyId,
    account,
    trust,
    scopes,
    status: statusOfKey(record, now),
    issued_at: timeOf(issuedAt),
    approved_by: approvedBy,
    reason,
    ...(expiresAt !== undefined && { expires_at: timeOf(expiresAt) }),
    ...(revocation && {
      revoked_at: timeOf(revocation.revokedAt),
      effective_at: timeOf(revocation.effectiveAt),
      revocation_reason: revocation.reason,
      ...(revocation.approvedBy !== undefined && { revoked_by: revocation.approvedBy }),
    }),
  };
}

function describeKey(key: string, record: KeyRecord): string {
  const { keyId, account, trust, scopes, approvedBy, reason } = record;
  const details = facts({
    account,
    'key id': keyId,
    scopes: scopes.join(', '),
    'expires (UTC)': expiryText(record),
    trust,
    'approved by': approvedBy,
    reason,
  });
  return `Your new key. It is shown only this once and is valid within a second:\n\n  ${key}\n\n${details}`;
}

function describeKeys(records: readonly KeyRecord[], now: Micros): string {
  if (records.length === 0) return 'No keys yet. To issue one: whetstone keys issue --help';
  return table(
    ['KEY ID', 'ACCOUNT', 'TRUST', 'STATUS', 'SCOPES', 'EXPIRES (UTC)', 'ISSUED (UTC)', 'APPROVED BY', 'REASON'],
    records.map((record) => [
      record.keyId,
      record.account,
      record.trust,
      shortStatus(record, now),
      record.scopes.join(', '),
      expiryText(record),
      shortTimeOf(record.issuedAt),
      record.approvedBy,
      record.reason,
    ]),
  );
}

function shortStatus(record: KeyRecord, now: Micros): string {
  const status = statusOfKey(record, now);
  const since = shortTimeOf(record.revocation?.effectiveAt ?? 0);
  if (status === 'active' || status === 'expired') return status;
  return status === 'revoked' ? `revoked ${since}` : `ends ${since}`;
}

function expiryText({ expiresAt }: KeyRecord): string {
  return expiresAt === undefined ? 'never' : shortTimeOf(expiresAt);
}
