import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { collectionName } from './collection-name.js';
import { call, connectionOf, type HookInput, lastCall, RefusedCall, reasonOf, tell } from './server-calls.js';
import { readTranscript, type TranscriptRun } from './transcript.js';
import { appendLine, digest, readIfThere, replaceFile, userFolders, type Variables } from './user-folders.js';

/** Agents write the last entries while, or shortly after, they call the hook. */
const settleMs = 500;
const tries = 3;

/** Uploads the runs of a transcript that were not uploaded yet. */
export async function uploadTranscript(input: HookInput, agent: string, env: Variables): Promise<void> {
  await sleep(settleMs);
  const folders = userFolders(env);
  const session = folders.session(input.session_id ?? '');
  const collection = await collectionName(input.cwd ?? process.cwd());
  try {
    const detail = await uploadFresh();
    if (detail) await replaceFile(folders.lastUpload, lastCall({ collection, ok: true, detail }));
  } catch (error) {
    await replaceFile(folders.lastUpload, lastCall({ collection, ok: false, detail: reasonOf(error) }));
    throw error;
  }
  await forgetOldSessions(dirname(session));

  /** Resolves with what there is to tell. */
  async function uploadFresh(): Promise<string | undefined> {
    const transcript = readTranscript(await readFile(input.transcript_path ?? '', 'utf8'));
    const { runs, entries, skipped, broken } = transcript;
    const left = `${skipped + broken} of ${entries} entries skipped`;
    if (entries > 0 && skipped + broken === entries) throw new Error(`the transcript has an unknown format: ${left}`);
    if (runs.length === 0) return `no prompt with tool calls; ${left}`;
    const known = await readSession(session, (error) => tell(env, `a line of ${session}: ${reasonOf(error)}`));
    const fresh = runs.filter((run) => !known.uploaded.has(idOf(run)));
    let refused = 0;
    for (const run of fresh) {
      if (!(await upload(run, known.answers.get(digest(run.query))))) refused++;
      await appendLine(session, JSON.stringify({ uploaded: idOf(run) }));
    }
    const told = `${runsIn(fresh.length - refused)}; ${refused > 0 ? `${runsIn(refused)} refused; ` : ''}${left}`;
    return fresh.length === 0 ? undefined : told;
  }

  /** Resolves with false if the server refuses the run for what it holds, now and later. */
  async function upload(run: TranscriptRun, enhancementId: string | undefined): Promise<boolean> {
    const body = {
      tenant_id: collection,
      agent_type: agent,
      ...run,
      ...(enhancementId && { metadata: { enhancement_id: enhancementId } }),
    };
    const headers = { 'idempotency-key': digest(JSON.stringify(body)) };
    for (let attempt = 1; ; attempt++) {
      try {
        const connection = await connectionOf(env);
        await call(connection, '/store_knowledge', { body, headers, signal: AbortSignal.timeout(30_000) });
        return true;
      } catch (error) {
        const status = error instanceof RefusedCall ? error.status : undefined;
        if (attempt === tries || status === 401 || status === 403) throw error;
        if (status === 413 || status === 422) {
          await tell(env, `a run of ${agent} was refused: ${reasonOf(error)}`);
          return false;
        }
        await tell(env, `upload of ${agent}, attempt ${attempt}: ${reasonOf(error)}`);
        await sleep(1000 * attempt);
      }
    }
  }
}

function runsIn(count: number): string {
  return `${count} run${count === 1 ? '' : 's'}`;
}

/** A prompt is uploaded once, even if its run goes on after a hook has kept the agent from stopping. */
function idOf({ query, timestamp }: TranscriptRun): string {
  return digest(`${timestamp} ${query}`);
}

interface KnownSession {
  uploaded: Set<string>;
  /** The enhancement_id that was answered to a prompt, by its digest. */
  answers: Map<string, string>;
}

async function readSession(path: string, onDamage: (error: unknown) => Promise<void>): Promise<KnownSession> {
  const known: KnownSession = { uploaded: new Set(), answers: new Map() };
  for (const line of ((await readIfThere(path)) ?? '').split('\n').filter((text) => text !== '')) {
    let entry: Record<string, string | undefined>;
    try {
      entry = JSON.parse(line);
    } catch (error) {
      // A crash may have cut it. At worst one run is uploaded again, under the same idempotency key.
      await onDamage(error);
      continue;
    }
    const { uploaded, prompt, enhancement_id } = entry;
    if (uploaded) known.uploaded.add(uploaded);
    if (prompt && enhancement_id) known.answers.set(prompt, enhancement_id);
  }
  return known;
}

const keptMs = 30 * 24 * 3600 * 1000;

async function forgetOldSessions(folder: string): Promise<void> {
  for (const name of existsSync(folder) ? await readdir(folder) : []) {
    const path = join(folder, name);
    if ((await stat(path)).mtimeMs < Date.now() - keptMs) await rm(path, { force: true });
  }
}
