import { type Command, Option } from 'commander';
import type { CollectionChoice } from '../collections.js';
import type { ExportCounts, ExportFormat } from '../export-knowledge.js';
import { chooseInstallation } from '../installation/choose-installation.js';
import { answer, type CliIo, type CommonOptions } from '../io.js';
import { addKnowledgeStatsCommand } from './knowledge-stats.js';

const formats: readonly ExportFormat[] = ['jsonl', 'markdown'];

interface ExportOptions extends CommonOptions, CollectionChoice {
  out?: string;
  format: ExportFormat;
}

export function addKnowledgeCommands(program: Command, io: CliIo): void {
  const knowledge = program
    .command('knowledge')
    .description('export, import, count and check what was learnt')
    .addHelpText('after', help);

  knowledge
    .command('export')
    .description('export lessons, runs and votes')
    .option('--collection <name>', 'only this collection (the tenant_id of its callers); needs --account')
    .option('--account <name>', 'only collections of this account')
    .addOption(
      new Option('--format <format>', 'jsonl for an import, markdown for people').choices(formats).default('jsonl'),
    )
    .option('--out <file>', 'write to this file instead of standard output; it is complete or absent')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<ExportOptions>();
      if (options.json && options.out === undefined) {
        command.error('error: --json needs --out, because the rows go to standard output');
      }
      await exportTo(options, io);
    });

  knowledge
    .command('import')
    .description('import an export; importing it again changes nothing')
    .argument('<file>', 'file that `knowledge export` wrote')
    .option('--include-deleted', 'also import what was deleted by intent since', false)
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { includeDeleted: boolean }>();
      const installation = await chooseInstallation(options, io);
      const counts = await installation.use(['knowledge'], async (opened) => {
        const { importKnowledge } = await import('../import-knowledge.js');
        return importKnowledge(opened.knowledge, file, options);
      });
      const { rows, stored, superseded, deleted, embeddedAgain } = counts;
      const text = [
        `${stored} of ${rows} rows stored.`,
        superseded > 0 && `${superseded} skipped: their jobs were processed again since.`,
        deleted > 0 && `${deleted} skipped: deleted by intent since (--include-deleted restores them).`,
        embeddedAgain > 0 && `${embeddedAgain} embedded again: their vectors were made by another model.`,
      ];
      const object = { rows, stored, superseded, deleted, embedded_again: embeddedAgain };
      await answer(io, options, object, text.filter((line) => line !== false).join('\n'));
    });

  knowledge
    .command('check')
    .description('check that the store is available and fits the configuration')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const installation = await chooseInstallation(options, io);
      await installation.use(['reindexing'], async ({ reindexing }) => {
        await reindexing.check();
        const { target } = reindexing;
        await answer(io, options, { kept_as: target }, `The store is available. Knowledge is stored as ${target}.`);
      });
    });

  addKnowledgeStatsCommand(knowledge, io);
}

async function exportTo(options: ExportOptions, io: CliIo): Promise<void> {
  const counts: ExportCounts = { rows: 0, collections: 0 };
  const installation = await chooseInstallation(options, io);
  await installation.use(['knowledge'], async ({ knowledge: { store, model, collectionNames } }) => {
    const { chosenCollections } = await import('../collections.js');
    const { exportLines, writeFileOf } = await import('../export-knowledge.js');
    const ids = await chosenCollections(store, options);
    const nameOf = options.format === 'markdown' ? await collectionNames?.(io).catch(unreadable) : undefined;
    const lines = exportLines(store, model, { ids, nameOf }, options.format, counts);
    if (options.out !== undefined) await writeFileOf(options.out, lines);
    else for await (const line of lines) await io.stdout(line);
  });
  function unreadable(error: Error): undefined {
    io.stderr(`The names of collections cannot be read, so their ids are shown: ${error.message}\n`);
  }
  const { rows, collections } = counts;
  const text = `Exported ${collections} ${collections === 1 ? 'collection' : 'collections'}, ${rows} ${rows === 1 ? 'row' : 'rows'}`;
  if (options.out === undefined) io.stderr(`${text}\n`);
  else await answer(io, options, { rows, collections, file: options.out }, `${text} to ${options.out}`);
}

const help = `
An export in jsonl has one row per line, with its text, origin, vector and the model that made the vector. An import checks
every line before it writes the first one, and embeds rows of another model again.

Examples:
  $ whetstone knowledge export --out knowledge.jsonl
  $ whetstone knowledge export --account acme --format markdown | less
  $ whetstone knowledge export --account acme | gzip > acme.jsonl.gz
  $ whetstone knowledge import knowledge.jsonl --data /srv/whetstone`;
