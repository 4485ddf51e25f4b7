import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError, retry } from '@whetstone/platform';
import { type Command, Option } from 'commander';

import { reasonOf } from '../coding-agents/server-calls.js';
import { type Connection, readConnection } from '../coding-agents/user-folders.js';
import type { Format, ImportedRun } from '../import/read-runs.js';
import { answer, type CliIo, type CommonOptions } from '../io.js';

interface ImportOptions extends CommonOptions {
  tenant?: string;
  agentType?: string;
  format: Format | 'auto';
  dryRun?: boolean;
}

const formats: Format[] = ['whetstone', 'messages', 'otlp', 'langfuse', 'langsmith', 'transcript'];
/** Texts beyond half a gigabyte do not fit into one string. */
const maxFileBytes = 400 * 1024 * 1024;
const batchLines = 200;
const batchBytes = 4 * 1024 * 1024;
/** As many uploads as `--dry-run` shows. */
const shownRuns = 3;
const retryWithinMs = 300_000;
const timeoutMs = 120_000;

export function addImportCommand(program: Command, io: CliIo): void {
  program
    .command('import')
    .description('upload runs that other tools have recorded')
    .argument('<files...>', 'JSON, or JSON in each line')
    .option('--tenant <name>', 'the collection (required unless the runs specify one)')
    .option('--agent-type <name>', 'agent type for runs that do not specify one')
    .addOption(new Option('--format <name>', 'format of the files').choices(['auto', ...formats]).default('auto'))
    .option('--dry-run', `upload nothing; show the first ${shownRuns} uploads as they would be`)
    .addHelpText('after', help)
    .action(async (files: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ImportOptions>();
      const result = await importRuns(files, options, io);
      const { runs, accepted, skipped } = result;
      const done = options.dryRun ? `${runs} runs would be uploaded` : `Uploaded ${accepted} of ${runs} runs`;
      const left = Object.entries(skipped).map(([reason, count]) => `\n  skipped ${count}: ${reason}`);
      await answer(io, options, result, `${done}.${left.join('')}`);
      if (runs === 0) throw new AppError('invalid_argument', 'The files hold no runs that can be read');
      if (!options.dryRun && accepted < runs) throw new AppError('invalid_argument', 'Some runs were not accepted');
    });
}

const help = `
Formats:
  whetstone    one upload of POST /store_knowledge per line
  messages     conversations of OpenAI and Anthropic: a list of messages, or an object
               with "messages"; logged requests with responses
  otlp         traces as the OpenTelemetry Collector writes them (JSON), each whole in
               one file
  langfuse     traces with their observations, or observations
  langsmith    runs, one per line
  transcript   sessions of Claude Code and Codex

The address and a key with the scope record come from WHETSTONE_URL and WHETSTONE_KEY,
or from the connection that whetstone connect saved. You can rerun an interrupted import:
identical runs are counted only once.`;

interface ImportResult {
  runs: number;
  accepted: number;
  skipped: Record<string, number>;
}

async function importRuns(files: readonly string[], options: ImportOptions, io: CliIo): Promise<ImportResult> {
  // The readers take a while to load, and other commands do not need them.
  const { readRuns } = await import('../import/read-runs.js');
  const { dryRun = false, json = false } = options;
  const connection = dryRun ? undefined : await connectionOf(io);
  const result: ImportResult = { runs: 0, accepted: 0, skipped: {} };
  const skip = (reason: string, count = 1) => {
    result.skipped[reason] = (result.skipped[reason] ?? 0) + count;
  };
  const sizes = await Promise.all(files.map((file) => sizeOf(io, file)));
  const progress = createProgress(io, json || dryRun ? 0 : sizes.reduce((sum, size) => sum + size, 0));
  for (const [at, file] of files.entries()) {
    const format = options.format === 'auto' ? undefined : options.format;
    const read = readRuns(await readFile(resolve(io.cwd, file), 'utf8'), format);
    for (const [reason, count] of read.skipped) skip(reason, count);
    const uploads = read.runs.map((run) => uploadOf(run, options, file));
    if (dryRun) await show(uploads.slice(0, Math.max(0, shownRuns - result.runs)), io, json);
    result.runs += uploads.length;
    let sent = 0;
    for (const batch of connection ? batchesOf(uploads) : []) {
      const { accepted, refused } = await send(connection as Connection, batch, io);
      result.accepted += accepted;
      for (const reason of refused) skip(reason);
      sent += batch.length;
      progress(
        result.accepted,
        sizes.slice(0, at).reduce((sum, size) => sum + size, 0),
        sizes[at] ?? 0,
        sent / uploads.length,
      );
    }
  }
  progress.end();
  return result;
}

async function connectionOf({ env }: CliIo): Promise<Connection> {
  const { url, key } = await readConnection(env);
  if (!url || !key) throw new AppError('invalid_argument', 'Set WHETSTONE_URL and WHETSTONE_KEY');
  return { url, key };
}

async function sizeOf({ cwd }: CliIo, file: string): Promise<number> {
  const found = await stat(resolve(cwd, file)).catch((cause: unknown) => {
    throw new AppError('invalid_argument', `${file} cannot be read: ${(cause as Error).message}`, { cause });
  });
  if (!found.isFile()) throw new AppError('invalid_argument', `${file} is not a file`);
  if (found.size > maxFileBytes) throw new AppError('invalid_argument', `${file} is over 400 MiB; split it by lines`);
  return found.size;
}

function uploadOf(run: ImportedRun, { tenant, agentType }: ImportOptions, file: string): ImportedRun {
  const collection = tenant ?? run['tenant_id'];
  if (typeof collection !== 'string') {
    throw new AppError('invalid_argument', `The runs in ${file} do not specify a collection. Add --tenant NAME`);
  }
  const agent = run['agent_type'] ?? agentType;
  return { ...run, tenant_id: collection, ...(agent !== undefined && { agent_type: agent }) };
}

async function show(uploads: readonly ImportedRun[], io: CliIo, json: boolean): Promise<void> {
  if (json) return;
  for (const upload of uploads) await io.stdout(`${JSON.stringify(upload, null, 2)}\n`);
}

function* batchesOf(uploads: readonly ImportedRun[]): Generator<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const upload of uploads) {
    const line = JSON.stringify(upload);
    if (batch.length === batchLines || (batch.length > 0 && bytes + line.length > batchBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(line);
    bytes += line.length;
  }
  if (batch.length > 0) yield batch;
}

interface LineResult {
  status: string;
  detail?: { loc: unknown[]; msg: string }[];
  message?: string;
}

/** Resolves with the result of the lines. Waits a while for a server that is busy or away, and says so. */
async function send({ url, key }: Connection, lines: string[], { stderr }: CliIo) {
  const refused: string[] = [];
  let left = lines;
  await retry(
    async () => {
      const results = await post(`${url}/store_knowledge/batch`, key, left.join('\n'));
      const failed = left.filter((_, at) => results[at]?.status === 'failed');
      refused.push(...results.flatMap(problemOf));
      left = failed;
      if (failed.length > 0)
        throw new AppError('store_unavailable', `Runs that could not be queued: ${failed.length}`, transient);
    },
    {
      retryIf: (error) => error instanceof AppError && error.retryable,
      onRetry(error, failures) {
        if (failures === 1)
          stderr(`${(error as Error).message}; retrying for up to ${retryWithinMs / 60_000} minutes …\n`);
      },
      withinMs: retryWithinMs,
      longestWaitMs: 10_000,
    },
  );
  return { accepted: lines.length - refused.length, refused };
}

function problemOf({ status, detail = [], message }: LineResult): string[] {
  if (status === 'invalid') return [detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')];
  return status === 'forbidden' ? [message ?? status] : [];
}

async function post(address: string, key: string, body: string): Promise<LineResult[]> {
  let reply: Response;
  try {
    reply = await fetch(address, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson', 'idempotency-key': 'whetstone import' },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (cause) {
    throw new AppError('store_unavailable', `${address} cannot be reached: ${reasonOf(cause)}`, {
      ...transient,
      cause,
    });
  }
  const text = await reply.text();
  if (reply.ok) return (JSON.parse(text) as { results: LineResult[] }).results;
  if (reply.status === 401) throw new AppError('invalid_argument', 'The server rejected the API key');
  const said = `${address} answered ${reply.status}: ${text.slice(0, 300)}`;
  if (reply.status === 429 || reply.status >= 500) throw new AppError('store_unavailable', said, transient);
  throw new AppError('invalid_argument', said);
}

const transient = { retryable: true } as const;

/** A line that is written over, on a terminal only. */
function createProgress(io: CliIo, totalBytes: number) {
  const isShown = process.stderr.isTTY === true && totalBytes > 0;
  const beganMs = performance.now();
  const progress = (accepted: number, bytesBefore: number, fileBytes: number, share: number) => {
    if (!isShown) return;
    const seconds = (performance.now() - beganMs) / 1000;
    const done = (bytesBefore + fileBytes * share) / totalBytes;
    const left = Math.round(seconds / Math.max(done, 0.001) - seconds);
    const end = new Date(Date.now() + left * 1000).toTimeString().slice(0, 8);
    const bar = '█'.repeat(Math.round(20 * done)).padEnd(20, '░');
    io.stderr(
      `\r${bar} ${Math.round(100 * done)} %  ${accepted} runs, ${Math.round(accepted / seconds)}/s, done at ${end} `,
    );
  };
  return Object.assign(progress, { end: () => isShown && io.stderr('\n') });
}
