import { type AuditEntry, type KeyUsage, topics, type UsageEvent } from '@whetstone/contracts';
import { decodeMessage, type EventLog, type Following, type LogEvent, observeViewAge } from '@whetstone/event-log';
import { AppError, type Logger, logSparingly, type Registry, retry } from '@whetstone/platform';
import { isDamage } from '@whetstone/platform/sqlite';

import type { SqliteActivityTable } from './sqlite-activity-table.js';
import { mayPass } from './view-file.js';

interface ActivityViewDeps {
  log: Pick<EventLog, 'follow'>;
  table: SqliteActivityTable;
  logger: Logger;
  registry: Registry;
  onCrash(error: Error): void;
}

export interface ActivityView {
  start(): Promise<void>;
  /** Resolves once the table has everything that was in the topic when it was called. Rejects with a retryable AppError. */
  catchUp(topic: string): Promise<void>;
  /** Throws AppError `status_unavailable` (retryable) if the table cannot be read. */
  read<Found>(query: (table: SqliteActivityTable) => Found): Found;
  stop(): Promise<void>;
}

const longestWaitMs = 1000;

/** Keeps the table in step with the topics of the audit trail and the usage. A damaged file is read from the log again. */
export function createActivityView({ log, table, logger, registry, onCrash }: ActivityViewDeps): ActivityView {
  const stopping = new AbortController();
  const following = new Map<string, Following>();
  let rebuilding: Promise<void> | undefined;

  /** A full or locked disk may get better; a broken file, or a mistake in the program, does not. */
  function persist(write: () => void): Promise<void> {
    const onRetry = logSparingly(logger, 'Writing the activity table failed; retrying');
    return retry(write, { retryIf: mayPass, onRetry, signal: stopping.signal, longestWaitMs });
  }

  async function follow<Message>(
    topic: string,
    isWhole: (message: Partial<Message>) => boolean,
    apply: (messages: Message[], positions: number[]) => void,
  ): Promise<void> {
    const from = table.positions(topic);
    const started = await log.follow({
      topic,
      ...(from === undefined ? {} : { from }),
      async onEvents(events, positions) {
        const messages: Message[] = [];
        for (const event of events) {
          const message = await decodeMessage<Partial<Message> | null>(event.value).catch(() => null);
          if (message && isWhole(message)) messages.push(message as Message);
          else logger.error(placeOf(event), 'Skipped an unreadable record of the activity');
        }
        await persist(() => apply(messages, positions));
      },
      onReset: () => persist(() => table.clear(topic)),
      onCrash: (error) => (isDamage(error) ? rebuild(error) : onCrash(error)),
    });
    following.set(topic, started);
  }

  async function start(): Promise<void> {
    await follow<AuditEntry>(topics.audit.name, isAuditEntry, (entries, at) => table.applyAudit(entries, at));
    await follow<UsageEvent>(topics.usage.name, isUsageEvent, (events, at) => table.applyUsage(events, at));
  }

  function rebuild(error: Error): void {
    if (stopping.signal.aborted) return;
    rebuilding ??= beginAnew(error).finally(() => {
      rebuilding = undefined;
    });
  }

  async function beginAnew(error: Error): Promise<void> {
    logger.error({ err: error }, 'Activity table is corrupt; rebuilding it from the log');
    try {
      await stopFollowing();
      table.recreate();
      await start();
    } catch (failure) {
      onCrash(failure as Error);
    }
  }

  async function stopFollowing(): Promise<void> {
    const started = [...following.values()];
    following.clear();
    await Promise.all(started.map((one) => one.stop()));
  }

  return {
    async start() {
      await start();
      const ageOf = (topic: string) => () => following.get(topic)?.ageSeconds() ?? 0;
      observeViewAge(registry, 'audit', ageOf(topics.audit.name));
      observeViewAge(registry, 'usage', ageOf(topics.usage.name));
    },
    async catchUp(topic) {
      const found = following.get(topic);
      if (!found) throw new AppError('status_unavailable', 'The activity is still loading', { retryable: true });
      await found.caughtUp();
      await found.catchUp('');
    },
    read(query) {
      try {
        return query(table);
      } catch (cause) {
        if (isDamage(cause)) rebuild(cause as Error);
        throw new AppError('status_unavailable', 'The activity cannot be read', { retryable: true, cause });
      }
    },
    async stop() {
      stopping.abort();
      await rebuilding;
      await stopFollowing();
    },
  };
}

function placeOf({ topic, partition, offset }: LogEvent): object {
  return { topic, partition, offset };
}

function isAuditEntry({ id, account, action }: Partial<AuditEntry>): boolean {
  return [id, account, action].every((text) => typeof text === 'string');
}

function isUsageEvent({ process, day, keys }: Partial<UsageEvent>): boolean {
  return typeof process === 'string' && Number.isSafeInteger(day) && Array.isArray(keys) && keys.every(isKeyUsage);
}

function isKeyUsage(usage: Partial<KeyUsage> | null): boolean {
  const { account, keyId, answers, emptyAnswers, uploads, bytes, refusals } = usage ?? {};
  const counts = [answers, emptyAnswers, uploads, bytes, refusals];
  return typeof account === 'string' && typeof keyId === 'string' && counts.every(Number.isSafeInteger);
}
