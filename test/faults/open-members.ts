import { unique } from '../support/accounts.js';
import { eventually } from '../support/eventually.js';
import type { Member } from './clients/caller.js';
import { newTag } from './clients/history.js';
import type { Installation } from './systems/system.js';

export interface OpenedMember extends Member {
  keyId: string;
}

/** Fresh accounts whose keys every gateway knows. */
export function openMembers(system: Installation, count: number): Promise<OpenedMember[]> {
  return Promise.all(Array.from({ length: count }, () => openMember(system)));
}

async function openMember({ operator, gateways }: Installation): Promise<OpenedMember> {
  const { key, keyId, account } = await operator.issueKey(unique('account'));
  for (const gateway of gateways) {
    const counts = async () => (await fetch(gateway, { headers: { 'x-api-key': key } })).ok || undefined;
    await eventually(counts, { what: `a new key counts at ${gateway}` });
  }
  return { account, key, keyId, home: { account, tenantId: key, tag: newTag() } };
}
