/** Loaded only if a folder is configured: runtimes without files never see it. */
type Files = typeof import('node:fs/promises');

export interface KeptUpload {
  id: string;
  bytes: number;
}

const suffix = '.upload.json';

/**
 * Uploads as files, one each, named by their idempotency key and removed once the server has them. A process that is killed
 * leaves them to the next. Processes may share a folder: whatever two of them send is one job.
 */
export class UploadFolder {
  readonly #path: string;
  readonly #files: Files;

  private constructor(path: string, files: Files) {
    this.#path = path;
    this.#files = files;
  }

  static async open(path: string): Promise<UploadFolder> {
    const files: Files = await import('node:fs/promises');
    // Runs hold what agents saw: for the owner's eyes.
    await files.mkdir(path, { recursive: true, mode: 0o700 });
    return new UploadFolder(path, files);
  }

  /** The oldest first. */
  async list(): Promise<KeptUpload[]> {
    const names = (await this.#files.readdir(this.#path)).filter((name) => name.endsWith(suffix)).sort();
    const kept = await Promise.all(
      names.map(async (name) => {
        const bytes = await ifThere(this.#files.stat(`${this.#path}/${name}`).then(({ size }) => size));
        return bytes === undefined ? [] : [{ id: name.slice(0, -suffix.length), bytes }];
      }),
    );
    return kept.flat();
  }

  /** All of it or nothing. */
  async write(id: string, body: string): Promise<void> {
    const file = this.#fileOf(id);
    await this.#files.writeFile(`${file}.part`, body, { mode: 0o600 });
    await this.#files.rename(`${file}.part`, file);
  }

  /** Undefined if another process has sent it. */
  read(id: string): Promise<string | undefined> {
    return ifThere(this.#files.readFile(this.#fileOf(id), 'utf8'));
  }

  async remove(id: string): Promise<void> {
    await ifThere(this.#files.unlink(this.#fileOf(id)));
  }

  #fileOf(id: string): string {
    return `${this.#path}/${id}${suffix}`;
  }
}

async function ifThere<T>(access: Promise<T>): Promise<T | undefined> {
  try {
    return await access;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}
