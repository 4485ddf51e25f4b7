import type {
  CollectionChange,
  CollectionSettingsAnswer,
  EraseResult,
  Lesson,
  LessonAnswer,
  LessonChange,
  LessonDecision,
  LessonDetails,
  LessonEvidence,
  LessonList,
  LessonWording,
  ListLessonsQuery,
  Micros,
  NewLesson,
} from '@whetstone/contracts';
import type { AuditTrail, Decision } from '@whetstone/identity';
import { AppError, type CallContext } from '@whetstone/platform';
import { formatMoment } from './look-up-job.js';
import type { LessonKeeper } from './ports.js';
import type { Redactor } from './redactor.js';
import { type Caller, nameOfCollection, type ResolveCollection } from './resolve-collection.js';

interface ManageLessonsDeps {
  audit: AuditTrail;
  indexer: LessonKeeper;
  redactor: Pick<Redactor, 'redactText'>;
  resolveCollection: ResolveCollection;
  /** Before something is written to a collection: keeps its name. */
  remember(collectionId: string, name: string | undefined): Promise<unknown>;
}

/** Who asks, about which collection, and when. */
export interface Request {
  caller: Caller;
  tenantId: string;
  arrivedAt: Micros;
  call: CallContext;
}

/** What people see and decide of the lessons of a collection. Throws AppError `lesson_not_found`. */
export interface ManageLessons {
  list(request: Request, query: ListLessonsQuery): Promise<LessonList>;
  get(request: Request, id: string): Promise<LessonDetails>;
  change(request: Request, id: string, change: LessonChange): Promise<LessonAnswer>;
  remove(request: Request, id: string): Promise<EraseResult>;
  write(request: Request, lesson: NewLesson): Promise<LessonAnswer>;
  changeCollection(request: Request, change: CollectionChange): Promise<CollectionSettingsAnswer>;
}

const dayMicros = 86_400e6;

/** What is not of this form, such as a key or the id of a job, is not sent on. */
const lessonId = /^[\w-]{1,64}$/;

export function createManageLessons(deps: ManageLessonsDeps): ManageLessons {
  const { audit, indexer, redactor, resolveCollection, remember } = deps;
  const collectionOf = ({ caller, tenantId }: Request) => resolveCollection(caller, tenantId);

  function decisionOf(
    { caller: { account, keyId }, tenantId }: Request,
    decided: Pick<Decision, 'action' | 'subject' | 'details'>,
  ): Decision {
    return { account, keyId, tenantId, ...decided };
  }

  async function collectionToWrite(request: Request): Promise<string> {
    const collectionId = collectionOf(request);
    await remember(collectionId, nameOfCollection(request.tenantId));
    return collectionId;
  }

  function namedIn(request: Request, id: string) {
    const collectionId = collectionOf(request);
    if (!lessonId.test(id)) throw lessonNotFound();
    return { collectionId, lesson: id };
  }

  async function detailsOf(named: { collectionId: string; lesson: string }, call: CallContext) {
    const { lesson, ...more } = await indexer.getLesson(named, call);
    if (!lesson) throw lessonNotFound();
    return { lesson, ...more };
  }

  /** Texts without secrets; null and absent ones left out. */
  function redacted<Name extends string>(texts: { [K in Name]?: string | null | undefined }): { [K in Name]?: string } {
    const sent = Object.entries<string | null | undefined>(texts).filter(([, text]) => text != null);
    return Object.fromEntries(sent.map(([name, text]) => [name, redactor.redactText(text as string)])) as {
      [K in Name]?: string;
    };
  }

  /** The wording that was valid until now with what changes of it: the latest wording counts as a whole. */
  function changedWording(decisions: readonly LessonDecision[], change: LessonChange): LessonWording {
    const { title, text, example } = change;
    const before = decisions.find(({ wording }) => wording)?.wording ?? {};
    const kept = Object.entries(before).filter(([name]) => change[name as keyof LessonWording] === undefined);
    return { ...Object.fromEntries(kept), ...redacted({ title, text, example }) };
  }

  return {
    async list(request, { tenantId: _, ...query }) {
      const { lessons, cursor } = await indexer.listLessons(
        { collectionId: collectionOf(request), ...query },
        request.call,
      );
      return { lessons: lessons.map(answerOf), ...(cursor === undefined ? {} : { cursor }) };
    },

    async get(request, id) {
      const { lesson, evidence, against, decisions, votes, notes } = await detailsOf(
        namedIn(request, id),
        request.call,
      );
      return {
        ...answerOf(lesson),
        evidence: evidence.map(evidenceOf),
        against: against.map(evidenceOf),
        decisions: decisions.map(toldDecision),
        votes: votes.map(({ day, helped, harmed }) => ({
          date: formatMoment(day * dayMicros).slice(0, 10),
          helped,
          harmed,
        })),
        notes: notes.map(({ givenAt, success, note }) => ({ given_at: formatMoment(givenAt), success, note })),
      };
    },

    async change(request, id, change) {
      const { collectionId, lesson } = namedIn(request, id);
      const { state, note, ...wording } = change;
      const reworded = (['title', 'text', 'example'] as const).filter((name) => wording[name] !== undefined);
      const { decisions } = await detailsOf({ collectionId, lesson }, request.call);
      const decision: LessonDecision = {
        lesson,
        ...(state == null ? {} : { state }),
        ...(reworded.length > 0 && { wording: changedWording(decisions, change) }),
        ...redacted({ note }),
        keyId: request.caller.keyId,
        decidedAt: request.arrivedAt,
      };
      const details = { ...(state == null ? {} : { state }), ...(reworded.length > 0 && { reworded }) };
      const decided = await audit.record(
        decisionOf(request, { action: 'lesson.changed', subject: lesson, details }),
        async () => {
          const { lesson: changed } = await indexer.decideLesson({ collectionId, decision }, request.call);
          if (!changed) throw lessonNotFound();
          return changed;
        },
      );
      return answerOf(decided);
    },

    async remove(request, id) {
      const named = namedIn(request, id);
      // Every deletion is remembered, also one that finds nothing.
      await detailsOf(named, request.call);
      const { deletedCount } = await audit.record(
        decisionOf(request, { action: 'lesson.deleted', subject: id }),
        async () => {
          const result = await indexer.deleteLesson({ ...named, requestedAt: request.arrivedAt }, request.call);
          if (result.deletedCount === 0) throw lessonNotFound();
          return result;
        },
        (result) => ({ details: { deleted_count: result.deletedCount } }),
      );
      return { deleted_count: deletedCount, status: 'Successfully deleted the lesson' };
    },

    async write(request, { applies_when, text, title, example, agent_type }) {
      const written = {
        collectionId: await collectionToWrite(request),
        appliesWhen: redactor.redactText(applies_when),
        text: redactor.redactText(text),
        ...redacted({ title, example, agentType: agent_type }),
        keyId: request.caller.keyId,
        writtenAt: request.arrivedAt,
      };
      const { lesson } = await audit.record(
        decisionOf(request, { action: 'lesson.written' }),
        () => indexer.writeLesson(written, request.call),
        (result) => ({ subject: result.lesson.id }),
      );
      return answerOf(lesson);
    },

    async changeCollection(request, { review, holdout_share: share, retention_days: days }) {
      const changed = {
        collectionId: await collectionToWrite(request),
        settings: {
          ...(review == null ? {} : { review }),
          ...(share == null ? {} : { holdoutShare: share }),
          ...(days == null ? {} : { retentionDays: days }),
        },
        keyId: request.caller.keyId,
        changedAt: request.arrivedAt,
      };
      const details = {
        ...(review == null ? {} : { review }),
        ...(share == null ? {} : { holdout_share: share }),
        ...(days == null ? {} : { retention_days: days }),
      };
      const { settings } = await audit.record(decisionOf(request, { action: 'collection.changed', details }), () =>
        indexer.changeSettings(changed, request.call),
      );
      const { review: now = 'none', holdoutShare, retentionDays } = settings;
      return {
        review: now,
        ...(holdoutShare === undefined ? {} : { holdout_share: holdoutShare }),
        ...(retentionDays === undefined ? {} : { retention_days: retentionDays }),
      };
    },
  };
}

function lessonNotFound(): AppError {
  return new AppError('lesson_not_found', 'No such lesson in this collection');
}

function answerOf(lesson: Lesson): LessonAnswer {
  const { id, kind, title, text, appliesWhen, example, agentType, state, origin, support, helped, harmed } = lesson;
  return {
    id,
    kind,
    title,
    text,
    ...(appliesWhen === undefined ? {} : { applies_when: appliesWhen }),
    ...(example === undefined ? {} : { example }),
    ...(agentType === undefined ? {} : { agent_type: agentType }),
    state,
    origin,
    support,
    helped,
    harmed,
    first_seen: formatMoment(lesson.firstSeen),
    last_seen: formatMoment(lesson.lastSeen),
  };
}

function evidenceOf({ jobId, task, acceptedAt, run, runs }: LessonEvidence): LessonDetails['evidence'][number] {
  const { outcome, judged } = run;
  const steps = run.steps.map((step) => ({ ...step }));
  return { job_id: jobId, task, accepted_at: formatMoment(acceptedAt), outcome, judged, runs, steps };
}

function toldDecision({ state, wording, note, keyId, decidedAt }: LessonDecision): LessonDetails['decisions'][number] {
  return {
    ...(state && { state }),
    ...wording,
    ...(note === undefined ? {} : { note }),
    key_id: keyId,
    decided_at: formatMoment(decidedAt),
  };
}
