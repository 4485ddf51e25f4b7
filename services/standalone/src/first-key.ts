import { type AuditEntry, type KeyEvent, topics } from '@whetstone/contracts';
import { appendAuditEntry, decodeMessage, type EventLog, encodeMessage } from '@whetstone/event-log';
import {
  createApiKeys,
  createAuditTrail,
  decisionOnKey,
  issueKey,
  keyOfKeyEvent,
  type RootSecrets,
} from '@whetstone/identity';
import type { Clock } from '@whetstone/platform';

/**
 * Issues a key for the account `default` if none was ever issued. Whoever starts the first server on an empty folder is its
 * operator, so this needs no other approval. The key is stored nowhere: call this only where it will be shown.
 */
export async function issueFirstKey(log: EventLog, roots: RootSecrets, clock: Clock): Promise<string | undefined> {
  if (await anyKeyIssued(log)) return undefined;
  const request = { account: 'default', approvedBy: 'first start', reason: 'first key of this data folder' };
  const { key, event } = issueKey(createApiKeys(roots), request, clock.now());
  const append = (entry: AuditEntry) => appendAuditEntry(log, entry);
  const audit = createAuditTrail({ append, roots, clock, onUnfinished() {} });
  await audit.record(decisionOnKey(event.account, event), async () =>
    log.append(topics.keys.name, { key: keyOfKeyEvent(event), value: await encodeMessage(event) }),
  );
  return key;
}

/** An unreadable event counts as a key: the folder is not new. */
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
