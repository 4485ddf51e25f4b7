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
    .description('bring knowledge to the shards of a new embedding model, and to what this version says of lessons')
    .option('--from <model>', 'the knowledge of this model, where there is that of several')
    .option('--remove-old', 'afterwards remove the old shards for good: no indexer may use them any more', false)
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
          const text = [`Nothing to move: all knowledge is kept as ${to}.`, ...upgradedText(upgraded)];
          return answer(io, options, { from: null, to, upgraded }, text.join('\n'));
        }
        const result = await old.move({ onProgress: (progress) => tell(progress.copied) });
        const { upgraded } = await reindexing.upgrade({ onProgress: (progress) => tell(progress.upgraded) });
        const removed = options.removeOld && result.settled;
        if (removed) await old.remove();
        const { copied, withdrawn, markers, settled } = result;
        const text = [
          `${copied} rows brought from ${old.name} to ${to}.`,
          ...upgradedText(upgraded),
          withdrawn > 0 && `${withdrawn} taken back: they were deleted meanwhile.`,
          settled
            ? 'Nothing is left to bring.'
            : 'More comes in than is brought over: run it again before you change the indexers.',
          removed && 'The old shards are removed.',
          options.removeOld && !removed && 'The old shards are kept, because not everything has been brought over.',
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
  const problem = matching.length === 0 ? `There is no knowledge of ${from}` : 'There is knowledge of several kinds';
  throw new AppError('invalid_argument', `${problem}. Say which to bring over:${list}`);
}

function upgradedText(upgraded: number): string[] {
  return upgraded > 0 ? [`Rows of an earlier version that were written anew: ${upgraded}.`] : [];
}

/** For people, who would otherwise look at nothing for as long as it takes. */
function progressTo(io: CliIo): (rows: number) => void {
  let toldAt = performance.now();
  return (rows) => {
    if (performance.now() - toldAt < tellEveryMs) return;
    toldAt = performance.now();
    io.stderr(`${rows} rows so far\n`);
  };
}

const help = `
The vectors of two models do not mix, so each model has shards of its own, and indexers refuse to start on those of another.
The same goes for another number of shards (WHETSTONE_MILVUS_SHARDS). To change either:

  1. whetstone reindex                 with the new configuration or version, while the old indexers serve
  2. start the new indexers, stop the old ones
  3. whetstone reindex --remove-old    brings what came in meanwhile, then removes the old shards

Rows that an earlier version wrote are written anew on the way, so that they say what a lesson is about and what its example
does; where there is nothing to move, that is all it does. It can be interrupted and run as often as you like. Deletions by
intent are honoured on the way. A data folder holds the vectors of one model: there, knowledge export and import bring
knowledge to another.`;
