import { AppError } from '@whetstone/platform';
import type { Command } from 'commander';
import { chooseInstallation } from '../installation/choose-installation.js';
import type { OldKnowledge } from '../installation/installation.js';
import { answer, type CliIo, type CommonOptions } from '../io.js';

interface ReindexCommandOptions extends CommonOptions {
  from?: string;
  removeOld: boolean;
}

const tellEveryMs = 5000;

export function addReindexCommand(program: Command, io: CliIo): void {
  program
    .command('reindex')
    .description('move knowledge to a new embedding model or number of shards, and upgrade rows of earlier versions')
    .option('--from <model>', 'move the knowledge of this model, if there are several')
    .option('--remove-old', 'afterwards delete the old shards permanently; make sure no indexer still uses them', false)
    .addHelpText('after', help)
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<ReindexCommandOptions>();
      const installation = await chooseInstallation(options, io);
      await installation.use(['reindexing'], async ({ reindexing }) => {
        const to = reindexing.target;
        const old = chosen(await reindexing.sources(), options);
        const tell = options.json ? () => {} : progressTo(io);
        if (!old) {
          const { upgraded } = await reindexing.upgrade({ onProgress: (progress) => tell(progress.upgraded) });
          const text = [`Nothing to move: all knowledge is stored as ${to}.`, ...upgradedText(upgraded)];
          return answer(io, options, { from: null, to, upgraded }, text.join('\n'));
        }
        const result = await old.move({ onProgress: (progress) => tell(progress.copied) });
        const { upgraded } = await reindexing.upgrade({ onProgress: (progress) => tell(progress.upgraded) });
        const removed = options.removeOld && result.settled;
        if (removed) await old.remove();
        const { copied, withdrawn, markers, settled } = result;
        const text = [
          `${copied} rows copied from ${old.name} to ${to}.`,
          ...upgradedText(upgraded),
          withdrawn > 0 && `${withdrawn} removed again: they were deleted in the meantime.`,
          settled
            ? 'Nothing is left to copy.'
            : 'New rows arrive faster than they are copied: run it again before you switch the indexers.',
          removed && 'The old shards are deleted.',
          options.removeOld && !removed && 'The old shards are kept, because not everything has been copied.',
        ];
        const object = { from: old.name, to, copied, upgraded, withdrawn, markers, settled, removed };
        await answer(io, options, object, text.filter((line) => line !== false).join('\n'));
      });
    });
}

function chosen(sources: OldKnowledge[], { from }: ReindexCommandOptions): OldKnowledge | undefined {
  const matching = sources.filter(({ name, model }) => from === undefined || from === model || from === name);
  if (matching.length === 1 || sources.length === 0) return matching[0];
  const list = sources.map(({ name }) => `\n  --from '${name}'`).join('');
  const problem =
    matching.length === 0 ? `There is no knowledge of ${from}` : 'There is more than one old set of shards';
  throw new AppError('invalid_argument', `${problem}. Choose one:${list}`);
}

function upgradedText(upgraded: number): string[] {
  return upgraded > 0 ? [`${upgraded} rows of an earlier version upgraded.`] : [];
}

function progressTo(io: CliIo): (rows: number) => void {
  let toldAt = performance.now();
  return (rows) => {
    if (performance.now() - toldAt < tellEveryMs) return;
    toldAt = performance.now();
    io.stderr(`${rows} rows so far\n`);
  };
}

const help = `
Vectors of two models do not mix, so each model has its own shards, and indexers refuse to start on another model's shards.
The same applies if you change the number of shards (WHETSTONE_MILVUS_SHARDS). To change either:

  1. whetstone reindex                 with the new configuration, while the old indexers serve
  2. start the new indexers, stop the old ones
  3. whetstone reindex                 once more, to copy what the old indexers wrote last
  4. whetstone reindex --remove-old    deletes the old shards, once you no longer want to go back

It also upgrades rows of earlier versions; if there is nothing to move, it does only that. You can interrupt it and run it
again at any time. It honours deletions by intent. A data folder holds the vectors of one model: to change that, use
knowledge export and import.`;
