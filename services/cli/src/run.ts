import { isAppError } from '@whetstone/platform';
import { Command, CommanderError } from 'commander';

import { addBackupCommands, addSalvageCommand } from './commands/backup.js';
import { addConnectCommand } from './commands/connect.js';
import { addDeadLetterCommands } from './commands/dead-letters.js';
import { addDoctorCommand } from './commands/doctor.js';
import { addErrorCommands } from './commands/errors.js';
import { addHookCommand } from './commands/hook.js';
import { addImportCommand } from './commands/import.js';
import { addKeyCommands } from './commands/keys.js';
import { addKnowledgeCommands } from './commands/knowledge.js';
import { addMcpCommand } from './commands/mcp.js';
import { addReindexCommand } from './commands/reindex.js';
import { addTopicCommands } from './commands/topics.js';
import { addUpliftCommand } from './commands/uplift.js';
import type { CliIo } from './io.js';

const exitCodes = { ok: 0, failed: 1, usage: 2, unavailable: 3 };

/** Runs one command and resolves with its exit code; never rejects. */
export async function run(argv: readonly string[], io: CliIo): Promise<number> {
  try {
    await createProgram(io).parseAsync(argv, { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    report(error, io, argv.includes('--json'));
    return isAppError(error) && error.retryable ? exitCodes.unavailable : exitCodes.failed;
  }
}

function createProgram(io: CliIo): Command {
  const program = new Command('whetstone')
    .description(
      'Operate a Whetstone installation: its API keys, failed jobs, knowledge and backups. Connect coding agents.',
    )
    .version('1.0.0')
    .option('--data <dir>', 'data folder of a standalone server (default: WHETSTONE_DATA or ./data)')
    .option('--json', 'print one JSON object instead of text')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void io.stdout(text), writeErr: io.stderr })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help for usage)')
    .addHelpText('after', epilogue);
  addKeyCommands(program, io);
  addErrorCommands(program, io);
  addDeadLetterCommands(program, io);
  addKnowledgeCommands(program, io);
  addBackupCommands(program, io);
  addSalvageCommand(program, io);
  addReindexCommand(program, io);
  addUpliftCommand(program, io);
  addTopicCommands(program, io);
  addMcpCommand(program, io);
  addConnectCommand(program, io);
  addHookCommand(program);
  addDoctorCommand(program, io);
  addImportCommand(program, io);
  return program;
}

const epilogue = `
Commands work on the data folder of a standalone server, whether or not the server is running. To work on a cluster
instead, set the same variables as its services:
  WHETSTONE_KAFKA_BROKERS, WHETSTONE_KAFKA_*                      keys, dead-letters, topics
  WHETSTONE_ROOT_SECRET[_FILE], WHETSTONE_PREVIOUS_ROOT_SECRETS   keys, errors
  WHETSTONE_MILVUS_ADDRESS, WHETSTONE_MILVUS_*                    knowledge, reindex, uplift
connect, hook, doctor, import and mcp need only the address and a key of a server: WHETSTONE_URL and WHETSTONE_KEY.

Exit codes: 0 done · 1 failed, with the reason on standard error · 2 wrong usage ·
            3 Kafka, Milvus or the data folder is unavailable: retry later

Examples:
  $ whetstone keys issue --account acme --approved-by "Ada Lovelace" --reason "checkout team, ticket 4711"
  $ whetstone keys list
  $ whetstone errors open 'pW3v…'          the error_message of a failed job
  $ whetstone dead-letters replay --all    after fixing the cause
  $ whetstone knowledge export --out knowledge.jsonl
  $ whetstone backup --to /backups/today   of a standalone server, even while it is running
  $ whetstone uplift                       measures whether recommendations help
  $ whetstone mcp --tenant ops-bot         connects MCP clients that cannot use HTTP
  $ WHETSTONE_KAFKA_BROKERS=kafka:9092 whetstone topics apply
  $ whetstone connect claude-code          advice before each prompt, uploads after each turn
  $ whetstone doctor                       checks the connection
  $ whetstone import runs.jsonl --tenant ops-bot --dry-run

Run whetstone <command> --help for details.`;

function report(error: unknown, io: CliIo, json: boolean): void {
  const expected = isAppError(error);
  const message = error instanceof Error ? error.message : String(error);
  if (json) io.stderr(`${JSON.stringify({ error: expected ? error.code : 'internal', message })}\n`);
  else io.stderr(`${expected ? message : `Unexpected: ${(error as Error).stack ?? message}`}\n`);
}
