/** Loaded only if a folder is configured: runtimes without files never see it. */
type Files = typeof import('node:fs/promises');

export interface KeptUpload {
  id: string;
  bytes: number;
}

const suffix = '.upload.json';
/** Of a process that was killed while it wrote one. */
const partIsLeftAfterMs = 3_600_000;

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
    const folder = new UploadFolder(path, files);
    await folder.#removeParts();
    return folder;
  }

  /** The oldest first. */
  async list(): Promise<KeptUpload[]> {
    const isOurs = (name: string) => /^[\w-]+$/.test(name.slice(0, -suffix.length)) && name.endsWith(suffix);
    const names = (await this.#files.readdir(this.#path)).filter(isOurs).sort();
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
    const [file, part] = [this.#fileOf(id), `${this.#fileOf(id)}.part`];
    try {
      await this.#files.writeFile(part, body, { mode: 0o600 });
      await this.#files.rename(part, file);
    } catch (error) {
      await this.#files.rm(part, { force: true });
      throw error;
    }
  }

  /** Undefined if another process has sent it. */
  read(id: string): Promise<string | undefined> {
    return ifThere(this.#files.readFile(this.#fileOf(id), 'utf8'));
  }

  async remove(id: string): Promise<void> {
    await ifThere(this.#files.unlink(this.#fileOf(id)));
  }

  async #removeParts(): Promise<void> {
    for (const name of await this.#files.readdir(this.#path)) {
      if (!name.endsWith(`${suffix}.part`)) continue;
      const part = `${this.#path}/${name}`;
      const writtenAt = await ifThere(this.#files.stat(part).then(({ mtimeMs }) => mtimeMs));
      if (writtenAt !== undefined && Date.now() - writtenAt > partIsLeftAfterMs)
        await ifThere(this.#files.unlink(part));
    }
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
