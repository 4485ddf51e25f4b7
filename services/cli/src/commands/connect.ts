import { fileURLToPath } from 'node:url';

import { AppError } from '@whetstone/platform';
import { Argument, type Command } from 'commander';
import { codingAgents, type Surroundings } from '../coding-agents/agents.js';
import { collectionName } from '../coding-agents/collection-name.js';
import { applyChange, backupOf, diffOf, planConnect, planUndo } from '../coding-agents/settings-change.js';
import { type Connection, readConnection, replaceFile, userFolders } from '../coding-agents/user-folders.js';
import { answer, type CliIo, type CommonOptions } from '../io.js';

interface ConnectOptions extends CommonOptions {
  url?: string;
  project?: boolean;
  yes?: boolean;
  undo?: boolean;
}

export function addConnectCommand(program: Command, io: CliIo): void {
  program
    .command('connect')
    .description('connect a coding agent: advice before each prompt, uploads after each turn')
    .addArgument(new Argument('<agent>', 'the coding agent').choices(Object.keys(codingAgents)))
    .option('--url <address>', 'address of the server (default: WHETSTONE_URL, or http://127.0.0.1:8080)')
    .option('--project', "change the project's settings instead of your own")
    .option('--yes', 'write without asking')
    .option('--undo', 'undo the change')
    .addHelpText('after', help)
    .action(async (name: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ConnectOptions>();
      const around = await surroundings(io, options.url);
      await (options.undo ? undo(name, around, options, io) : connect(name, around, options, io));
    });
}

const help = `
Shows the change to the agent's settings file and asks before writing it. A backup of the old file is kept next to it.
The address and the key go to ~/.config/whetstone/connection.json, readable only by you.

The key comes from WHETSTONE_KEY, or you are asked for it. Give agents a key that may only ask and record:
  $ whetstone keys issue --account default --approved-by me --reason "coding agents" --scope ask --scope record

Examples:
  $ whetstone connect claude-code
  $ whetstone connect codex --project
  $ whetstone connect claude-code --undo`;

export async function surroundings({ env, cwd }: CliIo, url?: string): Promise<Surroundings> {
  const known = await readConnection(env);
  return {
    env,
    cwd,
    home: userFolders(env).home,
    program: fileURLToPath(new URL('../../bin/whetstone.mjs', import.meta.url)),
    url: (url ?? known.url ?? 'http://127.0.0.1:8080').replace(/\/+$/, ''),
    collection: await collectionName(cwd),
  };
}

async function connect(name: string, around: Surroundings, options: ConnectOptions, io: CliIo): Promise<void> {
  const { title, settings, add, remove, next } = agentNamed(name);
  const project = options.project ?? false;
  const change = await planConnect(settings(around, project), add(around, project), remove);
  const connection = { url: around.url, key: await keyFor(io) };
  const changed = change.before !== change.after;
  if (changed) {
    await agreed(diffOf(change), options, io);
    await applyChange(change, false);
  }
  await saveConnection(connection, io);
  const { path } = change;
  const backup = changed && change.backUp ? backupOf(path) : null;
  const lines = [
    changed ? `${title} is connected: ${path}` : `${title} was already connected: ${path}`,
    ...(backup ? [`Backup of the old file: ${backup}`] : []),
    next,
    'Check it with: whetstone doctor',
  ];
  await answer(io, options, { agent: name, path, changed, backup }, lines.join('\n'));
}

async function undo(name: string, around: Surroundings, options: ConnectOptions, io: CliIo): Promise<void> {
  const { title, settings, add, remove } = agentNamed(name);
  const project = options.project ?? false;
  const change = await planUndo(settings(around, project), add(around, project), remove);
  const { path, before, after } = change;
  const changed = before !== after;
  if (changed) {
    await agreed(diffOf(change), options, io);
    await applyChange(change, true);
  }
  const text = changed
    ? `${title} is no longer connected: ${path}\nThe key stays in ${userFolders(io.env).connection} for other agents.`
    : `${title} was not connected: ${path}`;
  await answer(io, options, { agent: name, path, changed }, text);
}

function agentNamed(name: string) {
  const agent = codingAgents[name];
  if (!agent) throw new AppError('invalid_argument', `There is no agent ${name}`);
  return agent;
}

async function agreed(diff: string, { yes, json }: ConnectOptions, io: CliIo): Promise<void> {
  if (!json) io.stderr(`${diff}\n\n`);
  if (yes) return;
  if (!io.ask) throw new AppError('invalid_argument', 'Nothing was written: there is no terminal to ask. Add --yes');
  const reply = await io.ask('Write this? [y/N] ');
  if (!/^y(es)?$/i.test(reply.trim())) throw new AppError('cancelled', 'Nothing was written');
}

async function keyFor(io: CliIo): Promise<string> {
  const { key } = await readConnection(io.env);
  const given = key ?? (await io.ask?.('API key (begins with wst_): '))?.trim();
  if (given) return given;
  throw new AppError('invalid_argument', 'There is no API key. Set WHETSTONE_KEY; whetstone keys issue makes one');
}

async function saveConnection(connection: Connection, { env }: CliIo): Promise<void> {
  await replaceFile(userFolders(env).connection, `${JSON.stringify(connection, null, 2)}\n`);
}
