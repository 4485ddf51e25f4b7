import type { AuditEntry, AuditList, AuditQuery, Micros, UsageAnswer, UsageLine } from '@whetstone/contracts';
import { createSeal, type RootSecrets, tenantOfEntry } from '@whetstone/identity';
import type { CallContext } from '@whetstone/platform';
import { formatMoment } from './look-up-job.js';
import type { ActivityReader } from './ports.js';
import type { Caller } from './resolve-collection.js';

interface ReadActivityDeps {
  roots: RootSecrets;
  status: ActivityReader;
  /** Makes what this process has counted until now part of the usage. */
  reportUsage(): Promise<void>;
}

/** What was decided, and what keys did, in the caller's account. */
export interface ReadActivity {
  audit(caller: Caller, query: AuditQuery, call: CallContext): Promise<AuditList>;
  usage(caller: Caller, days: number, requestedAt: Micros, call: CallContext): Promise<UsageAnswer>;
}

const dayMicros = 86_400e6;

export function createReadActivity({ roots, status, reportUsage }: ReadActivityDeps): ReadActivity {
  const seal = createSeal(roots);

  function told(entry: AuditEntry): AuditList['entries'][number] {
    const { at, keyId = null, action, subject = null, details, outcome = 'unknown' } = entry;
    const tenantId = tenantOfEntry(seal, entry);
    const about = tenantId === undefined ? {} : { tenant_id: tenantId };
    return { at: formatMoment(at), key_id: keyId, action, ...about, subject, outcome, details };
  }

  return {
    async audit({ account }, { limit, cursor }, call) {
      const request = { account, limit, ...(cursor === undefined ? {} : { before: cursor }) };
      const { entries, more } = await status.listAudit(request, call);
      const read = entries.map((json) => JSON.parse(json) as AuditEntry);
      return { entries: read.map(told), next_cursor: more ? (read.at(-1)?.id ?? null) : null };
    },
    async usage({ account }, days, requestedAt, call) {
      await reportUsage();
      const fromDay = Math.floor(requestedAt / dayMicros) - days + 1;
      const { lines, truncated } = await status.getUsage({ account, fromDay }, call);
      return { days: byDay(lines), truncated };
    },
  };
}

function byDay(lines: readonly UsageLine[]): UsageAnswer['days'] {
  const days = new Map<number, UsageAnswer['days'][number]['keys']>();
  for (const { day, keyId, answers, emptyAnswers, uploads, bytes, refusals } of lines) {
    const keys = days.get(day) ?? [];
    keys.push({ key_id: keyId, answers, empty_answers: emptyAnswers, uploads, bytes, refusals });
    days.set(day, keys);
  }
  return [...days].map(([day, keys]) => ({ date: formatMoment(day * dayMicros).slice(0, 10), keys }));
}
