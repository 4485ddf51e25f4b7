import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

import { type Client, createClient } from './client.js';
import { eventually } from './eventually.js';
import { type Target, target } from './target.js';

/** A fresh account with one key, and a client that uses it. */
export interface Account extends IssuedKey {
  client: Client;
}

export interface Accounts {
  operator: Operator;
  /** A fresh account, or another key of an existing one. Resolves when the product knows the key. */
  open(account?: string, flags?: string): Promise<Account>;
}

/** The key of the next fresh account of the product under test, issued while tests run: the command takes a second or two. */
let spareKey: Promise<IssuedKey> | undefined;

/** @param ownProduct one that a test has started itself */
export function createAccounts(ownProduct?: Target): Accounts {
  const product = ownProduct ?? target();
  const operator = createOperator(product);

  function issueFresh(): Promise<IssuedKey> {
    const issue = () => operator.issueKey(unique('account'));
    if (ownProduct) return issue();
    const issued = (spareKey ?? issue()).catch(issue);
    spareKey = issued.then(issue);
    spareKey.catch(() => {});
    return issued;
  }

  return {
    operator,
    async open(account, flags) {
      const issued = await (account === undefined ? issueFresh() : operator.issueKey(account, flags));
      await keyCounts(product.baseUrl, issued.key, true);
      return { ...issued, client: createClient(product.baseUrl, issued.key) };
    },
  };
}

/** Resolves when no command runs any more. */
export async function spareKeyIssued(): Promise<void> {
  await spareKey?.catch(() => {});
}

/** Enough to reach every replica, whether they are used in turn or at random. */
const connections = 16;

/** Waits until every replica accepts the key, or no longer does: replicas learn it one by one. */
export async function keyCounts(baseUrl: string, key: string, counts: boolean): Promise<void> {
  const look = async () => {
    const answer = await fetch(baseUrl, { headers: { 'x-api-key': key, connection: 'close' } });
    await answer.text();
    return answer.ok === counts;
  };
  await eventually(
    async () => {
      const looks = await Promise.all(Array.from({ length: connections }, look));
      return looks.every(Boolean) || undefined;
    },
    { what: `a key ${counts ? 'is accepted' : 'is refused'}` },
  );
}

/** A name that no other test, file or run uses. */
export function unique(name: string): string {
  return `${name}-${randomBytes(6).toString('hex')}`;
}

const run = promisify(execFile);

export interface IssuedKey {
  key: string;
  keyId: string;
  account: string;
}

/** What an operator does with commands rather than HTTP. */
export interface Operator {
  /** The flags are appended to the command: ` --scope admin`, for instance. */
  issueKey(account: string, flags?: string): Promise<IssuedKey>;
  revokeKey(keyId: string): Promise<void>;
  openError(sealed: string): Promise<string>;
}

export function createOperator(
  commands: Pick<Target, 'issueKeyCommand' | 'revokeKeyCommand' | 'openErrorCommand'>,
): Operator {
  return {
    async issueKey(account, flags = '') {
      const printed = await shell(`${commands.issueKeyCommand}${flags}`, { account });
      const issued = JSON.parse(printed) as { key: string; key_id: string; account: string };
      return { key: issued.key, keyId: issued.key_id, account: issued.account };
    },
    async revokeKey(keyId) {
      await shell(commands.revokeKeyCommand, { key_id: keyId });
    },
    openError: (sealed) => shell(commands.openErrorCommand, { sealed }),
  };
}

async function shell(template: string, values: Record<string, string>): Promise<string> {
  const command = template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return `'${value.replaceAll("'", `'\\''`)}'`;
  });
  const { stdout } = await run('sh', ['-c', command], { timeout: 120_000 });
  return stdout;
}
