import type { KeyEvent } from '@whetstone/contracts';
import { createApiKeys, createKeyRing, createRootSecrets, issueKey } from '@whetstone/identity';
import { createManageKeys } from './manage-keys.js';

const apiKeys = createApiKeys(createRootSecrets('a root secret of sufficient length'));
const request = { account: 'acme', approvedBy: 'Ada', reason: 'test' };

it('an account issues 10,000 keys and no more, whatever others have', async () => {
  const ring = createKeyRing(apiKeys);
  const events: KeyEvent[] = [];
  const append = async (event: KeyEvent) => void events.push(event);
  const { issue } = createManageKeys({
    apiKeys,
    audit: { record: (_, act) => act() },
    append,
    clock: { now: () => 5 },
    ring,
  });
  const caller = { keyId: 'k', account: 'acme', scopes: ['admin'] as const };
  const { event } = issueKey(apiKeys, request, 1);
  for (let count = 0; count < 9999; count++) ring.apply({ ...event, keyId: String(count) });
  ring.apply({ ...event, keyId: 'foreign', account: 'globex' });

  await issue(caller, { scopes: ['ask'] }, 5);
  await expect(issue(caller, { scopes: ['ask'] }, 5)).rejects.toMatchObject({ code: 'too_many_keys' });
  expect(events).toHaveLength(1);
  await issue({ ...caller, account: 'globex' }, { scopes: ['ask'] }, 5);
});
