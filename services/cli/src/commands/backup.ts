import type { Command } from 'commander';

import { rootsIn, standaloneFolderOf } from '../installation/find-data-folder.js';
import { loadPart } from '../installation/load-part.js';
import { answer, type CliIo, type CommonOptions, facts } from '../io.js';

export function addBackupCommands(program: Command, io: CliIo): void {
  program
    .command('backup')
    .description("back up a standalone server's data folder, even while the server is running")
    .requiredOption('--to <folder>', 'where to write the backup; a new or empty folder')
    .addHelpText('after', backupHelp)
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { to: string }>();
      const folder = standaloneFolderOf(options, io);
      await rootsIn(folder);
      const { backUp } = await import('../backup/back-up.js');
      const { created_at, files } = await backUp(folder, options.to, io.clock);
      const sizes = Object.entries(files).map(([name, { bytes }]) => [name, `${bytes} bytes`]);
      const text = [
        `Backed up to ${options.to}, as of ${created_at}:`,
        facts(Object.fromEntries(sizes)),
        'It contains the root secret and what callers uploaded: protect it like the data folder.',
      ];
      await answer(io, options, { to: options.to, created_at, files }, text.join('\n'));
    });

  program
    .command('restore')
    .description('restore a backup into a data folder that no server uses')
    .requiredOption('--from <folder>', 'a folder that `whetstone backup` wrote')
    .option('--replace', 'move existing data aside instead of refusing; nothing is deleted', false)
    .addHelpText('after', restoreHelp)
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { from: string; replace: boolean }>();
      const folder = standaloneFolderOf(options, io);
      const { restore } = await import('../backup/restore.js');
      const { replace, from } = options;
      const { manifest, keptIn } = await restore(from, folder, { replace, clock: io.clock });
      const { created_at } = manifest;
      const text = [
        `Restored ${folder.path} as of ${created_at}. Start the server on it.`,
        ...(keptIn === undefined ? [] : [`The previous data was moved to ${keptIn}.`]),
      ];
      await answer(io, options, { data: folder.path, created_at, former_data: keptIn ?? null }, text.join('\n'));
    });
}

/** Of a data folder whose files are damaged. */
export function addSalvageCommand(program: Command, io: CliIo): void {
  program
    .command('salvage')
    .description('rebuild damaged files in a data folder from what is still readable')
    .addHelpText('after', salvageHelp)
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const folder = standaloneFolderOf(options, io);
      await rootsIn(folder);
      const { salvage } = await loadPart(() => import('../backup/salvage.js'), whereElse);
      const { files, keptIn } = await salvage(folder, io);
      const text = files.flatMap(({ path, damage, rows }) => [
        `${path} was damaged (${damage}). Salvaged:`,
        facts(Object.fromEntries(Object.entries(rows).map(([name, count]) => [name, String(count)]))),
      ]);
      const end = keptIn === undefined ? 'No file is damaged.' : `The damaged files are in ${keptIn}.`;
      await answer(io, options, { files, kept_in: keptIn ?? null }, [...text, end].join('\n'));
    });
}

const backupHelp = `
The backup is the state of one moment: everything that was acknowledged before, with the API keys and the root secret.
Jobs that were being processed at that moment are processed again after a restore, once. The server goes on serving.
Each run writes a whole new backup; delete old ones yourself. For a cluster, back up Kafka and Milvus instead.

Examples:
  $ whetstone backup --to /backups/$(date +%F)
  $ whetstone backup --to /backups/today --data /srv/whetstone`;

const restoreHelp = `
Before it writes anything, it checks the checksums and the integrity of the backup. It refuses while a server runs on the
data folder.

Examples:
  $ whetstone restore --from /backups/2026-05-01 --data ./restored
  $ whetstone restore --from /backups/2026-05-01 --replace`;

const salvageHelp = `
A last resort, where there is no backup: rows on damaged pages are lost. It refuses while a server runs on the data folder,
and moves the damaged files aside.

Example:
  $ whetstone salvage --data /srv/whetstone`;
const whereElse = 'This container has no part that reads knowledge files: run the command in a standalone container';
