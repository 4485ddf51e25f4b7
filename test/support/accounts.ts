import { randomBytes } from 'node:crypto';

import { type Client, createClient } from './client.js';
import { eventually } from './eventually.js';
import { createOperator, type IssuedKey, type Operator } from './operator.js';
import { type Target, target } from './target.js';

/** A fresh account with one key, and a client that uses it. */
export interface Account extends IssuedKey {
  client: Client;
}

export interface Accounts {
  operator: Operator;
  /** A fresh account, or another key of one that exists. Resolves once the product knows the key. */
  open(account?: string): Promise<Account>;
}

export function createAccounts(product: Target = target()): Accounts {
  const operator = createOperator(product);
  return {
    operator,
    async open(account = unique('account')) {
      const issued = await operator.issueKey(account);
      await keyCounts(product.baseUrl, issued.key, true);
      return { ...issued, client: createClient(product.baseUrl, issued.key) };
    },
  };
}

/** Waits until the key counts, or counts no longer, on several connections in a row: replicas learn it one by one. */
export async function keyCounts(baseUrl: string, key: string, counts: boolean): Promise<void> {
  let inARow = 0;
  await eventually(
    async () => {
      const { status } = await fetch(baseUrl, { headers: { 'x-api-key': key, connection: 'close' } });
      inARow = (status === 200) === counts ? inARow + 1 : 0;
      return inARow >= 3 ? true : undefined;
    },
    { what: `a key ${counts ? 'is accepted' : 'is refused'}` },
  );
}

/** A name that no other test, file or run uses. */
export function unique(name: string): string {
  return `${name}-${randomBytes(6).toString('hex')}`;
}
