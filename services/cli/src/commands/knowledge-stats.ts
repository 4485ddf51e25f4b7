import type { Command } from 'commander';
import { type CollectionChoice, chosenCollections } from '../collections.js';
import { chooseInstallation } from '../installation/choose-installation.js';
import { answer, type CliIo, type CommonOptions, shortTimeOf, table, timeOf } from '../io.js';
import { type KnowledgeStats, readStats, sumOf } from '../knowledge-stats.js';

export function addKnowledgeStatsCommand(knowledge: Command, io: CliIo): void {
  knowledge
    .command('stats')
    .description('count what was learnt, and what consolidation saves')
    .option('--collection <name>', 'only this collection (the tenant_id of its callers); needs --account')
    .option('--account <name>', 'only collections of this account')
    .addHelpText('after', help)
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & CollectionChoice>();
      const installation = await chooseInstallation(options, io);
      await installation.use(['knowledge'], async ({ knowledge: { store, fileBytes } }) => {
        const all: KnowledgeStats[] = [];
        for (const collectionId of await chosenCollections(store, options))
          all.push(await readStats(store, collectionId));
        const file = await fileBytes?.();
        await answer(io, options, statsObject(all, file), statsText(all, file));
      });
    });
}

const help = `
Reads all rows, so it takes about as long as an export. If sizes differ, collections are also grouped by size.

An exemplar is a task at which a lesson was learnt. A consolidated insight stands for the runs that taught the same at the
same task. What it saves is an estimate: each of these runs would have a row, and one for each of its insights and votes.

Examples:
  $ whetstone knowledge stats
  $ whetstone knowledge stats --account acme --collection checkout-bot
  $ whetstone knowledge stats --json`;

/** Most insights of a collection in each class. */
const sizes = [100, 1_000, 10_000, Number.POSITIVE_INFINITY];

function classesOf(all: readonly KnowledgeStats[]): { upTo: number; stats: KnowledgeStats }[] {
  return sizes.flatMap((upTo, index) => {
    const above = sizes[index - 1] ?? -1;
    const own = all.filter(({ insights }) => insights > above && insights <= upTo);
    return own.length > 0 ? [{ upTo, stats: sumOf(own) }] : [];
  });
}

function statsObject(all: readonly KnowledgeStats[], file: number | undefined): object {
  return {
    ...figuresOf(sumOf(all)),
    ...(file !== undefined && { file_bytes: file }),
    by_size: classesOf(all).map(({ upTo, stats }) => ({
      insights_up_to: Number.isFinite(upTo) ? upTo : null,
      ...figuresOf(stats),
    })),
  };
}

function figuresOf(stats: KnowledgeStats) {
  const { runs, insights, votes, lessons, exemplars, oldest, newest } = stats;
  return {
    collections: stats.collections,
    rows: { run: runs, insight: insights, vote: votes },
    lessons,
    exemplars: {
      total: exemplars,
      per_lesson: lessons === 0 ? null : exemplars / lessons,
      most_per_lesson: stats.mostExemplars,
    },
    insights: { total: insights, consolidated: stats.consolidated, unnamed: stats.unnamed },
    runs_consolidated: stats.standFor,
    votes_tallied: stats.talliedVotes,
    bytes: stats.bytes,
    saved: { rows_without_consolidation: stats.unconsolidatedRows, share: savedShare(stats) },
    oldest: oldest === undefined ? null : timeOf(oldest),
    newest: newest === undefined ? null : timeOf(newest),
  };
}

function savedShare({ runs, insights, votes, unconsolidatedRows }: KnowledgeStats): number | null {
  return unconsolidatedRows === 0 ? null : Math.max(0, 1 - (runs + insights + votes) / unconsolidatedRows);
}

function statsText(all: readonly KnowledgeStats[], file: number | undefined): string {
  const classes = classesOf(all);
  const columns = [
    ...(classes.length > 1 ? classes.map(({ upTo, stats }) => ({ title: titleOf(upTo), stats })) : []),
    { title: 'all', stats: sumOf(all) },
  ];
  const lines: [string, (stats: KnowledgeStats) => string][] = [
    ['collections', ({ collections }) => number(collections)],
    ['rows', ({ runs, insights, votes }) => number(runs + insights + votes)],
    ['  runs', ({ runs }) => number(runs)],
    ['  insights', ({ insights }) => number(insights)],
    ['  votes', ({ votes }) => number(votes)],
    ['lessons', ({ lessons }) => number(lessons)],
    ['exemplars', ({ exemplars }) => number(exemplars)],
    ['  per lesson', ({ lessons, exemplars }) => (lessons === 0 ? '–' : (exemplars / lessons).toFixed(1))],
    ['  maximum per lesson', ({ mostExemplars }) => number(mostExemplars)],
    ['consolidated insights', ({ consolidated }) => number(consolidated)],
    ['  runs they represent', ({ standFor }) => number(standFor)],
    ['  votes they count', ({ talliedVotes }) => number(talliedVotes)],
    ['insights without a name', ({ unnamed }) => number(unnamed)],
    ['rows without consolidation', ({ unconsolidatedRows }) => number(unconsolidatedRows)],
    ['  saved', (stats) => percent(savedShare(stats))],
    ['bytes of rows', ({ bytes }) => number(bytes)],
    ['oldest', ({ oldest }) => (oldest === undefined ? '–' : shortTimeOf(oldest))],
    ['newest', ({ newest }) => (newest === undefined ? '–' : shortTimeOf(newest))],
  ];
  const rows = lines.map(([name, show]) => [name, ...columns.map(({ stats }) => show(stats))]);
  const text = table(['', ...columns.map(({ title }) => title)], rows);
  return file === undefined ? text : `${text}\n\nDatabase file: ${number(file)} bytes`;
}

function titleOf(upTo: number): string {
  return Number.isFinite(upTo) ? `≤ ${number(upTo)} insights` : 'more';
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(100 * share).toFixed(1)} %`;
}
