import type { ProblemHandler } from './problems.js';
import { bytesOf } from './recorded-turns.js';
import { type Connection, isObject, longestTimerMs, send } from './transport.js';
import { UploadFolder } from './upload-folder.js';
import { WhetstoneError } from './whetstone-error.js';

export interface QueueLimits {
  uploads: number;
  bytes: number;
  /** For one attempt. */
  timeoutMs: number;
  /** Before the second attempt; it doubles with each further one. */
  pauseMs: number;
  longestPauseMs: number;
}

export interface QueueOptions {
  connection: Connection;
  folder: string | undefined;
  limits: QueueLimits;
  tell: ProblemHandler;
}

export const queueLimits: QueueLimits = {
  uploads: 1000,
  bytes: 64 * 1024 * 1024,
  timeoutMs: 10_000,
  pauseMs: 1000,
  longestPauseMs: 60_000,
};

/** How often a refused key, or an error that the server does not expect to pass, is tried again. */
const hopelessAttempts = 5;
/** However long a server asks to be left alone. */
const longestAskedMs = 600_000;

interface Waiting {
  /** Also the idempotency key. */
  id: string;
  bytes: number;
  /** Absent if it is in the folder. */
  body?: string;
  attempts: number;
  /** Attempts that failed for a reason that the server does not expect to pass. */
  faults: number;
  taken?: ((jobId: string) => void) | undefined;
}

/**
 * Uploads in the background, one after another, the oldest first, until the server has them. It holds a bounded number and drops
 * the oldest beyond that. Its timers keep no process alive, but a request that is under way does: whatever the server
 * takes at the first attempt is uploaded even if nobody waits.
 */
export class UploadQueue {
  uploaded = 0;
  /** Attempts that failed and are made again. */
  retried = 0;
  dropped = 0;
  #droppedAtClose = 0;
  readonly #connection: Connection;
  readonly #limits: QueueLimits;
  readonly #tell: ProblemHandler;
  readonly #opened: Promise<UploadFolder | undefined>;
  readonly #waiting: Waiting[] = [];
  /** Those that are being written to the folder. */
  #adding = 0;
  /** Also of the one that is under way. */
  #bytes = 0;
  #current: Waiting | undefined;
  #pausedUntil = 0;
  /** Whether the server asked for the pause. */
  #isPauseAsked = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** In a row. */
  #refusals = 0;
  #closed = false;
  readonly #stopping = new AbortController();
  #attempting: Promise<void> = Promise.resolve();
  #idle: (() => void)[] = [];

  constructor({ connection, folder, limits, tell }: QueueOptions) {
    this.#connection = connection;
    this.#limits = limits;
    this.#tell = tell;
    this.#opened = folder === undefined ? Promise.resolve(undefined) : this.#open(folder);
  }

  get waiting(): number {
    return this.#adding + this.#waiting.length + (this.#current ? 1 : 0);
  }

  /**
   * Resolves once it waits: in the folder, if there is one. Never rejects.
   *
   * @param taken called when the server has it, if this process lives to see it
   */
  async add(body: string, taken?: (jobId: string) => void): Promise<void> {
    const upload: Waiting = { id: newId(), bytes: bytesOf(body), body, attempts: 0, faults: 0, taken };
    if (this.#closed) return this.#drop(upload, 'the client is closed');
    this.#adding += 1;
    const folder = await this.#opened;
    if (folder) {
      try {
        await folder.write(upload.id, body);
        delete upload.body;
      } catch (error) {
        const message = `uploads wait in memory, as they cannot be written to the folder: ${said(error)}`;
        this.#tell({ kind: 'folder', message, error });
      }
    }
    this.#adding -= 1;
    if (this.#closed) {
      if (upload.body !== undefined) await this.#drop(upload, 'the client is closed');
      return;
    }
    await this.#enqueue(upload);
    this.#work();
  }

  /** Tries at once unless the server asked for a pause. Resolves with whether nothing waits, after `timeoutMs` at most. */
  async flush(timeoutMs: number): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.min(timeoutMs, longestTimerMs));
    });
    await Promise.race([this.#opened, late]);
    if (!this.#isPauseAsked) this.#pausedUntil = 0;
    this.#work();
    if (this.waiting > 0) await Promise.race([new Promise<void>((resolve) => this.#idle.push(resolve)), late]);
    clearTimeout(timer);
    return this.waiting === 0;
  }

  /** What still waits in memory is dropped; what is in the folder stays there. */
  async close(timeoutMs: number): Promise<void> {
    await this.flush(timeoutMs);
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#stopping.abort();
    await this.#attempting;
    this.dropped += this.#waiting.splice(0).filter(({ body }) => body !== undefined).length;
    this.#bytes = 0;
    this.#watchExit();
    if (this.dropped === this.#droppedAtClose) return;
    this.#droppedAtClose = this.dropped;
    const message = `closed with ${this.dropped} ${this.dropped === 1 ? 'upload' : 'uploads'} dropped in all`;
    this.#tell({ kind: 'lost', message, isLast: true });
  }

  async #open(path: string): Promise<UploadFolder | undefined> {
    try {
      const folder = await UploadFolder.open(path);
      for (const kept of await folder.list()) await this.#enqueue({ ...kept, attempts: 0, faults: 0 }, folder);
      queueMicrotask(() => this.#work());
      return folder;
    } catch (error) {
      this.#tell({ kind: 'folder', message: `uploads wait in memory, not in ${path}: ${said(error)}`, error });
      return undefined;
    }
  }

  async #enqueue(upload: Waiting, folder?: UploadFolder): Promise<void> {
    this.#waiting.push(upload);
    this.#bytes += upload.bytes;
    while (this.#waiting.length > this.#limits.uploads || this.#bytes > this.#limits.bytes) {
      const oldest = this.#waiting.shift();
      if (oldest === undefined) break;
      this.#bytes -= oldest.bytes;
      await this.#drop(oldest, 'the queue is full', folder);
    }
    this.#watchExit();
  }

  #work(): void {
    if (this.#current || this.#closed) return;
    const pauseMs = this.#pausedUntil - performance.now();
    if (pauseMs > 0) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#work(), pauseMs);
      (this.#timer as { unref?: () => void }).unref?.();
      return;
    }
    const upload = this.#waiting.shift();
    this.#current = upload;
    if (upload) {
      this.#attempting = this.#attempt(upload).then(() => this.#work(), this.#reportDefect);
      return;
    }
    this.#watchExit();
    if (this.#adding === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Ends with the upload sent, dropped or waiting again. */
  async #attempt(upload: Waiting): Promise<void> {
    try {
      const body = upload.body ?? (await this.#read(upload.id));
      if (body !== undefined) {
        upload.attempts += 1;
        const jobId = await this.#send(upload.id, body);
        this.uploaded += 1;
        this.#refusals = 0;
        this.#isPauseAsked = false;
        upload.taken?.(jobId);
        await this.#remove(upload);
      }
      this.#bytes -= upload.bytes;
    } catch (error) {
      await this.#failed(upload, error);
    }
    this.#current = undefined;
  }

  /** Undefined if another process has sent it, or if it cannot be read: then it stays there. */
  async #read(id: string): Promise<string | undefined> {
    try {
      return await (await this.#opened)?.read(id);
    } catch (error) {
      this.#tell({ kind: 'folder', message: `an upload in the folder cannot be read: ${said(error)}`, error });
      return undefined;
    }
  }

  async #send(id: string, body: string): Promise<string> {
    const [{ timeoutMs }, { signal }] = [this.#limits, this.#stopping];
    const call = { method: 'POST', path: '/store_knowledge', body, timeoutMs, signal };
    const answer = await send(this.#connection, { ...call, headers: { 'idempotency-key': id } });
    if (isObject(answer) && typeof answer['job_id'] === 'string') return answer['job_id'];
    const what = 'POST /store_knowledge: the answer has no job_id. Is something else at this address?';
    throw new WhetstoneError(what, { code: 'unexpected_answer', retryable: true });
  }

  async #failed(upload: Waiting, error: unknown): Promise<void> {
    const { retryable, refused, retryAfterMs } =
      error instanceof WhetstoneError ? error : { retryable: true, refused: false, retryAfterMs: undefined };
    const isServerFault = error instanceof WhetstoneError && (error.status ?? 0) >= 500;
    if (isServerFault && !retryable) upload.faults += 1;
    if (this.#closed) {
      this.#waiting.unshift(upload);
      return;
    }
    if (refused) {
      this.#refusals += 1;
      this.#tell({ kind: 'key', message: `the server refuses the key: ${said(error)}. Check WHETSTONE_KEY`, error });
      // A new key counts within a second, so some patience is due.
      if (this.#refusals >= hopelessAttempts) return this.#leave(upload, said(error));
    } else if (!retryable && !(isServerFault && upload.faults < hopelessAttempts)) {
      this.#bytes -= upload.bytes;
      return this.#drop(upload, said(error));
    } else {
      this.#tell({
        kind: 'upload',
        message: `uploads fail and are retried, ${this.waiting} waiting: ${said(error)}`,
        error,
      });
    }
    const { pauseMs, longestPauseMs } = this.#limits;
    const ownMs = Math.min(pauseMs * 2 ** (upload.attempts - 1), longestPauseMs) * (0.75 + Math.random() / 2);
    this.retried += 1;
    this.#isPauseAsked = retryAfterMs !== undefined;
    this.#pausedUntil = performance.now() + Math.max(ownMs, Math.min(retryAfterMs ?? 0, longestAskedMs));
    this.#waiting.unshift(upload);
  }

  /** Not tried again: what is in the folder stays for another process, with another key perhaps. */
  async #leave(upload: Waiting, why: string): Promise<void> {
    this.#bytes -= upload.bytes;
    if (upload.body !== undefined) await this.#drop(upload, why);
  }

  async #drop(upload: Waiting, why: string, folder?: UploadFolder): Promise<void> {
    this.dropped += 1;
    this.#tell({ kind: 'lost', message: `an upload was dropped, ${this.dropped} so far: ${why}` });
    await this.#remove(upload, folder);
  }

  async #remove(upload: Waiting, folder?: UploadFolder): Promise<void> {
    if (upload.body !== undefined) return;
    try {
      await (folder ?? (await this.#opened))?.remove(upload.id);
    } catch (error) {
      this.#tell({ kind: 'folder', message: `an upload cannot be removed from the folder: ${said(error)}`, error });
    }
  }

  readonly #reportDefect = (error: unknown): void => {
    this.#current = undefined;
    this.#tell({ kind: 'upload', message: `uploading stopped: ${said(error)}`, error });
  };

  /** A process that ends with uploads in memory says so. Other runtimes have no such event. */
  #watchExit(): void {
    const { process } = globalThis as { process?: Partial<NodeJS.Process> };
    const watched = UploadQueue.#withUploads;
    if (this.waiting > 0 && !this.#closed) watched.add(this);
    else watched.delete(this);
    process?.off?.('exit', UploadQueue.#tellAllLost);
    if (watched.size > 0) process?.on?.('exit', UploadQueue.#tellAllLost);
  }

  /** One listener for all of them: Node warns of more than ten. */
  static readonly #withUploads = new Set<UploadQueue>();
  static readonly #tellAllLost = (): void => {
    for (const queue of UploadQueue.#withUploads) queue.#tellLost();
  };

  #tellLost(): void {
    const lost = [...this.#waiting, ...(this.#current ? [this.#current] : [])].filter(({ body }) => body !== undefined);
    if (lost.length === 0) return;
    const message = `the process ends with ${lost.length} uploads in memory, which are lost: await close() first`;
    this.#tell({ kind: 'lost', message, isLast: true });
  }
}

let [latestMs, inSameMs] = [0, 0];

/** Sorts in the order of making. Unique, not secret: runtimes without crypto get by with a random number. */
function newId(): string {
  const nowMs = Date.now();
  inSameMs = nowMs > latestMs ? 0 : inSameMs + 1;
  latestMs = Math.max(nowMs, latestMs);
  const place = `${latestMs.toString(36).padStart(9, '0')}${inSameMs.toString(36).padStart(4, '0')}`;
  const { crypto } = globalThis as { crypto?: { randomUUID?: () => string } };
  const random = crypto?.randomUUID?.() ?? `${Math.random()}${Math.random()}`.replaceAll('0.', '');
  return `${place}-${random}`;
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
