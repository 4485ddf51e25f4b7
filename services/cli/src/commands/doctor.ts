import { AppError } from '@whetstone/platform';
import type { Command } from 'commander';
import { codingAgents } from '../coding-agents/agents.js';
import { reasonOf } from '../coding-agents/server-calls.js';
import {
  type Connection,
  readConnection,
  readIfThere,
  readLastCall,
  userFolders,
} from '../coding-agents/user-folders.js';
import { answer, type CliIo, type CommonOptions, table } from '../io.js';
import { surroundings } from './connect.js';

export function addDoctorCommand(program: Command, io: CliIo): void {
  program
    .command('doctor')
    .description('check that connected coding agents get advice and upload their runs')
    .addHelpText('after', help)
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const checks = [
        ...(await checkServer(io)),
        ...(await checkAgents(io)),
        await checkLast('advice', io),
        await checkLast('upload', io),
      ];
      const wrong = checks.filter(({ ok }) => !ok);
      const rows = checks.map(({ name, ok, finding, advice }) => [
        name,
        ok ? 'ok' : 'WRONG',
        `${finding}${advice ? `. ${advice}` : ''}`,
      ]);
      await answer(io, options, { ok: wrong.length === 0, checks }, table(['check', '', 'finding'], rows));
      if (wrong.length > 0) {
        const names = wrong.map(({ name }) => name).join(', ');
        throw new AppError('invalid_argument', `Failed checks: ${names}`);
      }
    });
}

const help = `
Checks the address, the key and its scopes, the settings of each agent (yours, and those of the project in this folder),
and how the last advice and the last upload went. Exits with 1 if something is wrong.

Examples:
  $ whetstone doctor
  $ whetstone doctor --json`;

interface Check {
  name: string;
  ok: boolean;
  finding: string;
  /** What to do about it. */
  advice?: string;
}

async function checkServer({ env }: CliIo): Promise<Check[]> {
  const { url, key } = await readConnection(env);
  if (!url || !key) {
    const finding = `there is no ${url ? 'key' : key ? 'address' : 'address and no key'}`;
    return [
      { name: 'address', ok: false, finding, advice: 'Run whetstone connect, or set WHETSTONE_URL and WHETSTONE_KEY' },
    ];
  }
  const connection = { url, key };
  try {
    const { status } = await send(connection, '/', 'GET');
    if (status === 401) {
      const advice = 'Issue another with whetstone keys issue, then run whetstone connect with WHETSTONE_KEY set to it';
      return [
        { name: 'address', ok: true, finding: url },
        { name: 'key', ok: false, finding: 'the server refuses it', advice },
      ];
    }
    if (status !== 200) {
      const advice = 'Is this the address of a Whetstone server?';
      return [{ name: 'address', ok: false, finding: `${url} answers ${status}`, advice }];
    }
    return [
      { name: 'address', ok: true, finding: url },
      { name: 'key', ok: true, finding: 'the server accepts it' },
      await checkScope('ask', '/enhance_task', connection),
      await checkScope('record', '/store_knowledge', connection),
    ];
  } catch (error) {
    const advice = 'Start the server, or correct the address: whetstone connect <agent> --url <address>';
    return [{ name: 'address', ok: false, finding: `${url} cannot be reached: ${reasonOf(error)}`, advice }];
  }
}

/** An empty body is refused with 422, but only if the key may call the operation at all. */
async function checkScope(scope: string, path: string, connection: Connection): Promise<Check> {
  const { status } = await send(connection, path, 'POST');
  const name = `scope ${scope}`;
  if (status === 422) return { name, ok: true, finding: 'the key has it' };
  if (status !== 403) return { name, ok: false, finding: `${path} answers ${status}`, advice: 'Try again later' };
  const advice = `Issue a key with --scope ask --scope record`;
  return { name, ok: false, finding: 'the key does not have it', advice };
}

async function send({ url, key }: Connection, path: string, method: string): Promise<{ status: number }> {
  const answered = await fetch(`${url}${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{}' }),
    signal: AbortSignal.timeout(5000),
  });
  await answered.text();
  return { status: answered.status };
}

async function checkAgents(io: CliIo): Promise<Check[]> {
  const around = await surroundings(io);
  const checks: Check[] = [];
  for (const [name, { title, settings, remove, problem }] of Object.entries(codingAgents)) {
    const paths = new Set([false, true].map((project) => settings(around, project)));
    for (const path of paths) {
      const text = await readIfThere(path);
      if (!text?.trim() || remove(text) === text) continue;
      const wrong = problem(text, around);
      const advice = `Run whetstone connect ${name} again`;
      checks.push(
        wrong
          ? { name: title, ok: false, finding: `${path}: ${wrong}`, advice }
          : { name: title, ok: true, finding: `connected in ${path}` },
      );
    }
  }
  if (checks.length > 0) return checks;
  const advice = `Run whetstone connect ${Object.keys(codingAgents).join(' | ')}`;
  return [{ name: 'agents', ok: false, finding: 'no coding agent is connected', advice }];
}

async function checkLast(what: 'advice' | 'upload', { env }: CliIo): Promise<Check> {
  const { lastAdvice, lastUpload, log } = userFolders(env);
  const last = await readLastCall(what === 'advice' ? lastAdvice : lastUpload);
  const name = `last ${what}`;
  if (!last) return { name, ok: true, finding: 'none yet', advice: 'Give a connected agent a task' };
  const { at, collection, ok, detail } = last;
  const when = `${at.slice(0, 19).replace('T', ' ')} UTC, ${collection}`;
  if (ok) return { name, ok, finding: `${when}: ${detail}` };
  return { name, ok, finding: `${when}: ${detail}`, advice: `See ${log}` };
}
