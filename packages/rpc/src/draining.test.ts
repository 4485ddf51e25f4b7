import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@whetstone/platform/test-kit';

import { aDeletion } from './test-kit/messages.js';
import { rpcSite } from './test-kit/rpc-site.js';

const { serve, clientOf } = rpcSite();

/** Several are due while a deletion lasts, and have all the time of a busy machine to be answered. */
const pings = { everyMs: 100, timeoutMs: 30_000 };
const deletionMs = 600;

function deleting() {
  let begun = 0;
  const DeleteByIntent = async () => {
    begun++;
    await pause(deletionMs);
    return { deletedCount: 7, matches: [] };
  };
  return { begun: () => begun, handlers: { DeleteByIntent } };
}

describe('a call that is never repeated and takes longer than a silent connection is left alone', () => {
  it('is answered by a server that stops meanwhile', async () => {
    const { begun, handlers } = deleting();
    const { target, server } = await serve('indexer', handlers, { pings, graceMs: 60_000 });
    const call = clientOf('indexer', target, { pings }).call('DeleteByIntent', aDeletion, {});
    await eventually(() => begun() === 1);

    const stopped = server.stop();

    expect(await call).toMatchObject({ deletedCount: 7 });
    await stopped;
  });

  it('is answered by a server to which its connection is too old meanwhile', async () => {
    const { handlers } = deleting();
    const { target } = await serve('indexer', handlers, { pings, connectionAgeMs: 300 });
    const client = clientOf('indexer', target, { pings });

    for (let i = 0; i < 2; i++)
      expect(await client.call('DeleteByIntent', aDeletion, {})).toMatchObject({ deletedCount: 7 });
  });
});
