import { createHash } from 'node:crypto';
import { appendFile, chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/*
 * What the hooks keep for a user. Hooks of several sessions run at the same time, so a file is either replaced as a whole or only
 * appended to. Nothing here imports other packages: a hook has to start fast.
 */

export type Variables = Readonly<Record<string, string | undefined>>;

export interface UserFolders {
  home: string;
  /** Address and key. */
  connection: string;
  log: string;
  lastAdvice: string;
  lastUpload: string;
  /** What was answered and uploaded in one session of an agent. */
  session(id: string): string;
}

export function userFolders(env: Variables): UserFolders {
  const home = env['HOME'] || homedir();
  const state = join(env['XDG_STATE_HOME'] || join(home, '.local/state'), 'whetstone');
  return {
    home,
    connection: join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'whetstone/connection.json'),
    log: join(state, 'hooks.log'),
    lastAdvice: join(state, 'last-advice.json'),
    lastUpload: join(state, 'last-upload.json'),
    session: (id) => join(state, 'sessions', `${digest(id)}.jsonl`),
  };
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

export interface Connection {
  url: string;
  key: string;
}

/** The variables, and the file for what they leave open. */
export async function readConnection(env: Variables): Promise<Partial<Connection>> {
  const { url, key } = ((await readJson(userFolders(env).connection)) ?? {}) as Partial<Connection>;
  const address = env['WHETSTONE_URL'] || url;
  // The key that is kept goes only to the server that it is kept for.
  const chosen = { url: address, key: env['WHETSTONE_KEY'] || (address === url ? key : undefined) };
  return {
    ...(chosen.url && { url: chosen.url.replace(/\/+$/, '') }),
    ...(chosen.key && { key: chosen.key }),
  };
}

/** How the last advice or the last upload went. */
export interface LastCall {
  at: string;
  collection: string;
  ok: boolean;
  detail: string;
}

export async function readLastCall(path: string): Promise<LastCall | undefined> {
  return (await readJson(path)) as LastCall | undefined;
}

async function readJson(path: string): Promise<unknown> {
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path} is not JSON: correct or delete it`, { cause });
  }
}

/** The text of a file, or undefined if there is no such file. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces the file as a whole; only its owner may read it unless `mode` says otherwise. */
export async function replaceFile(path: string, text: string, mode = 0o600): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.draft`;
  await writeFile(draft, text, { mode });
  await chmod(draft, mode);
  await rename(draft, path);
}

export async function appendLine(path: string, line: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await appendFile(path, `${line}\n`, { mode: 0o600 });
}

const mostLogBytes = 256 * 1024;

/** Appends to the log, which never takes more than twice its limit. */
export async function logProblem(env: Variables, problem: string): Promise<void> {
  const { log } = userFolders(env);
  const size = await stat(log).then(
    (found) => found.size,
    () => 0,
  );
  if (size > mostLogBytes) await rename(log, `${log}.1`);
  await appendLine(log, `${new Date().toISOString()} ${problem}`);
}
