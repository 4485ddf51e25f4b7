import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { AppError } from '@whetstone/platform';
import { findDamage } from '@whetstone/platform/sqlite';

/** The files of a backup, named as in the data folder. The job table is not among them: it is rebuilt from the log. */
export const backedUpFiles = ['log.db', 'knowledge.db', 'root.secret'] as const;

/** Written last: a folder without it is no backup. */
export interface Manifest {
  format: 1;
  /** ISO 8601. Everything acknowledged before is in the backup. */
  created_at: string;
  files: Record<string, FileEntry>;
}

interface FileEntry {
  bytes: number;
  sha256: string;
}

const manifestName = 'manifest.json';

/** Also of one that was not finished: SQLite keeps a journal while it writes. */
export function isOfBackup(name: string): boolean {
  const file = name.replace(/-(journal|wal|shm)$/, '');
  return file === manifestName || backedUpFiles.some((one) => one === file);
}

export async function writeManifest(folder: string, createdAt: string): Promise<Manifest> {
  const files: Manifest['files'] = {};
  for (const name of backedUpFiles) files[name] = await entryOf(join(folder, name));
  const manifest: Manifest = { format: 1, created_at: createdAt, files };
  const file = await open(join(folder, manifestName), 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return manifest;
}

/** Reads every file of the backup. Throws AppError `invalid_argument` that says what is wrong with it. */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const name of backedUpFiles) {
    const path = join(folder, name);
    const expected = manifest.files[name];
    if (!expected || !existsSync(path)) throw new AppError('invalid_argument', `The backup lacks ${path}`);
    const found = await entryOf(path).catch((cause: NodeJS.ErrnoException) => {
      throw new AppError('invalid_argument', `${path} cannot be read (${cause.code})`, { cause });
    });
    if (found.bytes !== expected.bytes || found.sha256 !== expected.sha256) {
      throw new AppError('invalid_argument', `${path} is not the file that was backed up: its checksum differs`);
    }
    const damage = name.endsWith('.db') ? findDamage(path) : undefined;
    if (damage !== undefined) throw new AppError('invalid_argument', `${path} is damaged (${damage})`);
  }
  return manifest;
}

async function readManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(join(folder, manifestName), 'utf8');
  } catch (cause) {
    const message = `${folder} holds no backup, or one that was not finished: it has no ${manifestName}`;
    throw new AppError('invalid_argument', message, { cause });
  }
  const manifest = parsed(text);
  if (manifest?.format === 1 && manifest.files && typeof manifest.created_at === 'string') return manifest;
  throw new AppError('invalid_argument', `${join(folder, manifestName)} is damaged, or was written by a newer version`);
}

function parsed(text: string): Manifest | undefined {
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    return undefined;
  }
}

async function entryOf(path: string): Promise<FileEntry> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') };
}
