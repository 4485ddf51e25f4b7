import { setTimeout as sleep } from 'node:timers/promises';

import { type Account, type Accounts, createAccounts, unique } from '../../support/accounts.js';
import { createClient } from '../../support/client.js';
import { target } from '../../support/target.js';
import { lessons, lessonUpload } from '../../support/uploads.js';

/** How much the process may have grown by the end of a file of bad input. What it gives back late is not a leak. */
const growthBytes = 500 * 1024 * 1024;
/** So often is looked, a second apart, whether it gives back what it does not need any more. */
const mostLooks = 30;

/** Watches that the product stands as it stood before. */
export interface Steadiness {
  /** It lives, does a normal piece of work from end to end, and has not grown out of bounds for good. */
  check(): Promise<void>;
}

export async function watchSteadiness(): Promise<Steadiness> {
  const before = await residentBytes();
  const startedAt = await metric('process_start_time_seconds');
  const account = await createAccounts().open();
  return {
    async check() {
      await work(unique('steady'));
      expect(await metric('process_start_time_seconds')).toBe(startedAt);
      expect(await lastingGrowth()).toBeLessThan(growthBytes);
    },
  };

  async function work(tenantId: string): Promise<void> {
    const job = await account.client.learn(lessonUpload(tenantId, lessons.logs));
    const { response } = await account.client.enhance({ tenant_id: tenantId, input_text: lessons.logs.task });
    expect(job.status).toBe('completed');
    expect(response).toContain(lessons.logs.command);
  }

  /** Garbage goes when memory is asked for again, not by itself: so there is more work between two looks. */
  async function lastingGrowth(): Promise<number> {
    const tenantId = unique('steady');
    let growth = (await residentBytes()) - before;
    for (let looks = 1; growth >= growthBytes && looks < mostLooks; looks++) {
      await sleep(1000);
      await work(tenantId);
      growth = (await residentBytes()) - before;
    }
    return growth;
  }
}

export async function residentBytes(): Promise<number> {
  return metric('process_resident_memory_bytes');
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${target().opsUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** Keys of one account taken in turn, so that thousands of requests stay below the rate of each. */
export async function openKeyring(
  accounts: Accounts,
  size: number,
  flags?: string,
): Promise<{ account: Account; next(): Account['client'] }> {
  const account = await accounts.open(unique('account'), flags);
  const others = await Promise.all(Array.from({ length: size - 1 }, () => accounts.open(account.account, flags)));
  const clients = [account, ...others].map(({ key }) => createClient(target().baseUrl, key));
  let turn = 0;
  return { account, next: () => clients[turn++ % clients.length] as Account['client'] };
}
