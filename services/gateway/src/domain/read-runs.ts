import type { JobState, ListRunsQuery, RunAnswer, RunDetails, RunList, RunReport } from '@whetstone/contracts';
import { decryptReport, type JobIds } from '@whetstone/identity';
import { type CallContext, isAppError } from '@whetstone/platform';
import { formatMoment, jobNotFound } from './look-up-job.js';
import type { Request } from './manage-lessons.js';
import type { DataKeyReader, JobLookup, KnowledgeRemover } from './ports.js';
import type { ResolveCollection } from './resolve-collection.js';

interface ReadRunsDeps {
  dataKeys: DataKeyReader;
  indexer: Pick<KnowledgeRemover, 'findDeletedRuns'>;
  jobIds: Pick<JobIds, 'verify'>;
  resolveCollection: ResolveCollection;
  status: Pick<JobLookup, 'getJob' | 'listRuns'>;
}

export interface ReadRuns {
  list(request: Request, query: ListRunsQuery): Promise<RunList>;
  /** Rejects with AppError `job_not_found` for a job of another collection. */
  get(request: Request, jobId: string): Promise<RunDetails>;
}

/** What can be told of a run. `deleted`: its text is no longer told. */
type Told = RunReport | 'deleted' | undefined;

export function createReadRuns(deps: ReadRunsDeps): ReadRuns {
  const { dataKeys, indexer, jobIds, resolveCollection, status } = deps;

  /**
   * The reports of runs that nobody deleted since: their keys exist, and no deletion covers them. `withLessons`: with the
   * lessons as they are now, without those that are gone; otherwise without lessons.
   */
  async function openReports(
    collectionId: string,
    runs: readonly JobState[],
    call: CallContext,
    withLessons = false,
  ): Promise<Told[]> {
    if (!runs.some(({ report }) => report)) return [];
    const keyOf = await dataKeys.keysOf(collectionId);
    const opened = runs.map((run) => open(run, keyOf));
    const readable = opened.flatMap((told, at) => (isReport(told) ? [{ at, told }] : []));
    if (readable.length === 0) return opened;
    const asked = readable.map(({ at, told: { query, lessons } }) => {
      return { intent: query, acceptedAt: runs[at]?.acceptedAt ?? 0, lessons: lessons.map(({ id }) => id) };
    });
    const found = await indexer.findDeletedRuns(
      { collectionId, runs: asked, ...(withLessons && { withLessons }) },
      call,
    );
    for (const [place, { at, told }] of readable.entries()) {
      const lessons = found.lessons[place]?.lessons ?? [];
      opened[at] = found.deleted[place] === false ? { ...told, lessons } : 'deleted';
    }
    return opened;
  }

  return {
    async list({ caller, call }, { tenantId, ...query }) {
      const collectionId = resolveCollection(caller, tenantId);
      const { runs, cursor } = await status.listRuns({ collectionId, ...query }, call);
      const told = await openReports(collectionId, runs, call);
      return { runs: runs.map((run, at) => answerOf(run, told[at])), next_cursor: cursor ?? null };
    },

    async get({ caller, tenantId, call }, jobId) {
      const collectionId = resolveCollection(caller, tenantId);
      if (!jobIds.verify(jobId, caller.account)) throw jobNotFound();
      const run = await status.getJob({ jobId, withReport: true }, call);
      // Records of earlier versions do not name their collection.
      const isElsewhere = run.collectionId !== undefined && run.collectionId !== collectionId;
      if (run.status === 'expired' || isElsewhere) throw jobNotFound();
      const [told] = await openReports(collectionId, [run], call, true);
      const { trail = [], lessons = [] } = isReport(told) ? told : {};
      return {
        ...answerOf(run, told),
        timeline: timelineOf(run),
        trail: trail.map(({ action, outcome }) => ({ action, outcome: outcome === 'error' ? 'failed' : outcome })),
        lessons: lessons.map(({ id, title }) => ({ id, title })),
        reason: reasonOf(run, told),
      };
    },
  };
}

function open({ jobId, report }: JobState, keyOf: (dataKeyId: string) => Uint8Array | undefined): Told {
  if (!report) return undefined;
  const key = keyOf(report.dataKeyId);
  if (!key) return 'deleted';
  try {
    return decryptReport(report, jobId, key);
  } catch (error) {
    if (!isAppError(error, 'invalid_argument')) throw error;
    return undefined;
  }
}

function isReport(told: Told): told is RunReport {
  return told !== undefined && told !== 'deleted';
}

function answerOf({ jobId, status, acceptedAt, success, insightsStored = 0 }: JobState, told: Told): RunAnswer {
  const { query = null, agentType = null } = isReport(told) ? told : {};
  return {
    job_id: jobId,
    accepted_at: acceptedAt === undefined ? null : formatMoment(acceptedAt),
    status: status as RunAnswer['status'],
    query,
    agent_type: agentType,
    success: success ?? null,
    lessons: insightsStored,
  };
}

const endings = { stored: 'stored', nothing_to_learn: 'nothing_learnt', deleted: 'deleted' } as const;

function timelineOf(run: JobState): RunDetails['timeline'] {
  const { acceptedAt, startedAt, learntAt, completedAt, failedAt, outcome = 'stored' } = run;
  const events = [
    ['accepted', acceptedAt],
    ['started', startedAt],
    ['learnt', outcome === 'stored' ? learntAt : undefined],
    [endings[outcome], completedAt],
    ['failed', failedAt],
  ] as const;
  return events.flatMap(([event, at]) => (at === undefined ? [] : [{ event, at: formatMoment(at) }]));
}

function reasonOf({ status, outcome, reason }: JobState, told: Told): string | null {
  if (outcome === 'deleted') return 'It matched a later deletion and was not kept';
  if (told === 'deleted') return 'It was deleted later';
  if (status === 'failed') return reason ?? 'Processing failed; knowledge_status says what to pass on to the operators';
  return reason ?? null;
}
