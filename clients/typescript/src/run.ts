/// <reference lib="esnext.disposable" preserve="true" />
import { withoutAdvice } from './advice-block.js';
import type { Advice } from './adviser.js';
import type { Schemas } from './operations.js';
import type { ProblemHandler } from './problems.js';
import { jsonOf, RecordedTurns, type RecordLimits, shorten } from './recorded-turns.js';
import type { Turn } from './turn-builder.js';
import { turnsFromMessages } from './turns-from-messages.js';

export interface RunOptions {
  /** Instead of the client's. */
  tenant?: string | undefined;
  agentType?: string | undefined;
  /** Further facts about the task, which help to find recommendations. */
  context?: Record<string, string> | undefined;
  /** Uploaded with the run. */
  metadata?: Record<string, unknown> | undefined;
}

/** What a run needs of its client. */
export interface RunSetting extends RunOptions {
  query: string;
  tenant: string;
  advice: Advice | undefined;
  limits: RecordLimits;
  tell: ProblemHandler;
  /** Resolves when the upload waits in the queue. */
  upload(body: string, record: RecordedTurns, taken: (jobId: string) => void): Promise<void>;
}

/** Of the task in an upload, and of the metadata as JSON. */
const queryChars = 128 * 1024;
const metadataChars = 64 * 1024;

/** One task that an agent works on, from the question for advice to the upload of what happened. */
export class Run {
  /** The task as it was given. */
  readonly query: string;
  /** The task with recommendations, for the agent. The plain task, if there are none. */
  readonly task: string;
  /** Cited in the upload, so that the outcome of the run counts. */
  readonly enhancementId: string | undefined;
  readonly recommendations: readonly Schemas['Recommendation'][];
  /** Set it if you know. Unknown until then. */
  succeeded: boolean | undefined;
  /** Uploaded with the run; any JSON. */
  readonly metadata: Record<string, unknown>;
  readonly #setting: RunSetting;
  readonly #record: RecordedTurns;
  readonly #beganAt = new Date();
  readonly #hooks: (() => void)[] = [];
  #finished: Promise<void> | undefined;
  #jobId: string | undefined;

  constructor(setting: RunSetting) {
    const { query, advice, metadata = {}, limits } = setting;
    this.#setting = setting;
    this.#record = new RecordedTurns(limits);
    this.query = query;
    this.task = advice?.response ?? query;
    this.enhancementId = advice?.metadata.enhancement_id;
    this.recommendations = advice?.metadata.recommendations ?? [];
    this.metadata = { ...metadata };
  }

  /** The recommendations alone, between their two lines; empty if there are none. */
  get advice(): string {
    return this.task.slice(this.query.length).trim();
  }

  /** Of the upload: undefined until the server has it. `getKnowledgeStatus` says what became of it. */
  get jobId(): string | undefined {
    return this.#jobId;
  }

  /** Records a step. Turns are numbered as they come; values that are not text are kept as JSON. */
  turn(turn: Turn): void {
    if (this.#finished === undefined) this.#record.add(turn);
    else this.#setting.tell({ kind: 'record', message: 'a turn came after its run was finished, and is left out' });
  }

  /** Records a conversation: a message list as `turnsFromMessages` takes it. Never throws. */
  messages(messages: readonly object[]): void {
    this.#guard(() => {
      for (const turn of turnsFromMessages(messages)) this.turn(turn);
    });
  }

  /** Calls back when the run finishes, before it is uploaded: for adapters that still hold a turn. */
  beforeFinish(hook: () => void): void {
    this.#hooks.push(hook);
  }

  /** Hands the run over for upload, once; later turns are ignored. Resolves when it waits in the queue, and never rejects. */
  finish(): Promise<void> {
    if (this.#finished === undefined) {
      for (const hook of this.#hooks.splice(0)) this.#guard(hook);
      this.#finished = this.#upload();
    }
    return this.#finished;
  }

  /** `await using` finishes the run at the end of its block. Whether the block threw is not known there: set `succeeded`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.finish();
  }

  #guard(recording: () => void): void {
    try {
      recording();
    } catch (error) {
      this.#setting.tell({ kind: 'record', message: `turns may be missing: ${error}`, error });
    }
  }

  #upload(): Promise<void> {
    if (this.#record.count === 0 && this.succeeded === undefined) {
      const message = 'a run ended with neither turns nor an outcome, and is not uploaded: call run.turn()';
      this.#setting.tell({ kind: 'record', message });
      return Promise.resolve();
    }
    return this.#setting.upload(this.#body(), this.#record, (jobId) => {
      this.#jobId = jobId;
    });
  }

  #body(): string {
    const { tenant, agentType } = this.#setting;
    const { shortened, leftOut } = this.#record;
    const metadata = {
      ...this.#ownMetadata(),
      ...(this.enhancementId === undefined ? {} : { enhancement_id: this.enhancementId }),
      ...(shortened + leftOut === 0 ? {} : { shortened: { turns_left_out: leftOut, values_shortened: shortened } }),
    };
    const fields = {
      tenant_id: tenant,
      query: shorten(withoutAdvice(this.query), queryChars),
      agent_type: agentType,
      success: this.succeeded,
      timestamp: this.#beganAt.toISOString(),
      metadata,
    };
    return `${JSON.stringify(fields).slice(0, -1)},"turns":${this.#record.toJson()}}`;
  }

  #ownMetadata(): object {
    try {
      const json = jsonOf(this.metadata) ?? '{}';
      if (json.length <= metadataChars) return JSON.parse(json) as object;
      this.#setting.tell({ kind: 'record', message: `the metadata of a run is left out: ${json.length} characters` });
      return { left_out: `${json.length} characters of metadata` };
    } catch (error) {
      this.#setting.tell({ kind: 'record', message: `the metadata of a run is left out: ${error}`, error });
      return {};
    }
  }
}
