import { isAppError } from '@whetstone/platform';
import { Command, CommanderError } from 'commander';

import { addDeadLetterCommands } from './commands/dead-letters.js';
import { addErrorCommands } from './commands/errors.js';
import { addKeyCommands } from './commands/keys.js';
import { addKnowledgeCommands } from './commands/knowledge.js';
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
    .description('Operate a Whetstone installation: its API keys, failed jobs and knowledge.')
    .version('1.0.0')
    .option('--data <dir>', 'the data folder of a standalone server (or WHETSTONE_DATA; otherwise ./data)')
    .option('--json', 'answer with one JSON object on standard output')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void io.stdout(text), writeErr: io.stderr })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help for how to use it)')
    .addHelpText('after', epilogue);
  addKeyCommands(program, io);
  addErrorCommands(program, io);
  addDeadLetterCommands(program, io);
  addKnowledgeCommands(program, io);
  addReindexCommand(program, io);
  addUpliftCommand(program, io);
  addTopicCommands(program, io);
  return program;
}

const epilogue = `
Where it works: on the data folder of a standalone server, unless a variable of a cluster is set. With those that the
services have, it works on their cluster, in the same way:
  WHETSTONE_KAFKA_BROKERS, WHETSTONE_KAFKA_*                      keys, dead-letters, topics
  WHETSTONE_ROOT_SECRET[_FILE], WHETSTONE_PREVIOUS_ROOT_SECRETS   keys, errors
  WHETSTONE_MILVUS_ADDRESS, WHETSTONE_MILVUS_*                    knowledge, reindex, uplift
Every command works while servers run and while they do not.

Exit codes: 0 it is done · 1 it failed, and standard error says why · 2 the command was not understood ·
            3 Kafka, Milvus or the data folder does not answer at present: the same command may succeed later

Examples:
  $ whetstone keys issue --account acme --approved-by "Ada Lovelace" --reason "checkout team, ticket 4711"
  $ whetstone keys list
  $ whetstone errors open 'pW3v…'          what a caller passed on as error_message
  $ whetstone dead-letters replay --all    once the cause is mended
  $ whetstone knowledge export --out knowledge.jsonl
  $ whetstone uplift                       whether recommendations help, measured
  $ WHETSTONE_KAFKA_BROKERS=kafka:9092 whetstone topics apply

whetstone <command> --help tells more of each.`;

function report(error: unknown, io: CliIo, json: boolean): void {
  const expected = isAppError(error);
  const message = error instanceof Error ? error.message : String(error);
  if (json) io.stderr(`${JSON.stringify({ error: expected ? error.code : 'internal', message })}\n`);
  else io.stderr(`${expected ? message : `Unexpected: ${(error as Error).stack ?? message}`}\n`);
}
