import { type KeyEvent, topics } from '@whetstone/contracts';
import { decodeMessage, type EventLog, encodeMessage } from '@whetstone/event-log';
import { type ApiKeys, issueKey, keyOfKeyEvent } from '@whetstone/identity';
import type { Clock } from '@whetstone/platform';

/**
 * A key for the account `default` when none was ever issued; undefined afterwards. Whoever starts the first server on an
 * empty folder is its operator, so nobody else's approval is asked for.
 */
export async function issueFirstKey(log: EventLog, apiKeys: ApiKeys, clock: Clock): Promise<string | undefined> {
  if (await anyKeyIssued(log)) return undefined;
  const request = { account: 'default', approvedBy: 'first start', reason: 'first key of this data folder' };
  const { key, event } = issueKey(apiKeys, request, clock.now());
  await log.append(topics.keys.name, { key: keyOfKeyEvent(event), value: await encodeMessage(event) });
  return key;
}

/** An event that cannot be read counts: whatever it was, this folder is not at its beginning. */
async function anyKeyIssued(log: EventLog): Promise<boolean> {
  let issued = false;
  const following = await log.follow({
    topic: topics.keys.name,
    async onEvents(events) {
      for (const event of events) {
        const type = await decodeMessage<KeyEvent>(event.value).then(
          (read) => read.type,
          () => undefined,
        );
        issued ||= type !== 'revoked';
      }
    },
    onReset: () => {},
    onCrash: () => {},
  });
  await following.caughtUp();
  await following.stop();
  return issued;
}
