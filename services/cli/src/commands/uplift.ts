import { type ArmOutcomes, type EnhancementArm, intervalOfShare, measureUplift } from '@whetstone/contracts';
import type { ToldOutcomes as OutcomesOfSome } from '@whetstone/indexer';
import type { Command } from 'commander';
import { type CollectionChoice, chosenCollections } from '../collections.js';
import { chooseInstallation } from '../installation/choose-installation.js';
import { answer, type CliIo, type CommonOptions, table } from '../io.js';

export function addUpliftCommand(program: Command, io: CliIo): void {
  program
    .command('uplift')
    .description('measure how much more often runs succeed with recommendations')
    .option('--collection <name>', 'only this collection (the tenant_id of its callers); needs --account')
    .option('--account <name>', 'only collections of this account')
    .addHelpText('after', help)
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & CollectionChoice>();
      const installation = await chooseInstallation(options, io);
      const told = await installation.use(['knowledge'], async ({ knowledge: { store } }) => {
        const { readOutcomes } = await import('@whetstone/indexer');
        const chosen = await chosenCollections(store, options);
        return { ...(await readOutcomes(store, chosen)), collections: chosen.length };
      });
      await answer(io, options, upliftObject(told), upliftText(told));
    });
}

const help = `
Reads the stored runs. A run counts if its upload cites an answer of enhance_task (metadata.enhancement_id) and reports its
outcome (\`success\`). Feedback on an answer counts too. Each answer counts once, however many uploads cite it. The
comparison is between answers with recommendations and answers held out at random; set WHETSTONE_HOLDOUT_SHARE on the
analyser to hold some out. Answers with nothing to recommend are for other tasks, so they are listed separately.

The interval is the range of differences consistent with the data. If it includes 0, the result is inconclusive.

Examples:
  $ whetstone uplift
  $ whetstone uplift --account acme --json
  $ whetstone uplift --account acme --collection checkout-bot`;

interface ToldOutcomes extends OutcomesOfSome {
  collections: number;
}

/** Fewer outcomes of an arm prove nothing. */
const fewestOutcomes = 30;

type Verdict =
  | 'no_comparison'
  | 'too_little_data'
  | 'no_difference_shown'
  | 'recommendations_help'
  | 'recommendations_harm';

function verdictOf({ arms: { recommended, holdout } }: ToldOutcomes): Verdict {
  const uplift = measureUplift(recommended, holdout);
  if (!uplift) return 'no_comparison';
  if (Math.min(recommended.told, holdout.told) < fewestOutcomes) return 'too_little_data';
  if (uplift.low > 0) return 'recommendations_help';
  return uplift.high < 0 ? 'recommendations_harm' : 'no_difference_shown';
}

/** Shares are from 0 to 1, differences from -1 to 1. */
function upliftObject(told: ToldOutcomes): object {
  const { collections, uploads, answers, untold, arms } = told;
  const { recommended, holdout } = arms;
  return {
    verdict: verdictOf(told),
    uplift: measureUplift(recommended, holdout) ?? null,
    arms: Object.fromEntries(Object.entries(arms).map(([name, arm]) => [name, { ...arm, ...shareOf(arm) }])),
    answers_cited: answers,
    answers_without_outcome: untold,
    uploads_citing: uploads,
    collections,
  };
}

const names: Record<EnhancementArm, string> = {
  recommended: 'with recommendations',
  holdout: 'held out',
  nothing_to_say: 'nothing to recommend',
};

function upliftText(told: ToldOutcomes): string {
  const rows = (Object.entries(told.arms) as [EnhancementArm, ArmOutcomes][]).map(([arm, outcomes]) => [
    names[arm],
    String(outcomes.told),
    String(outcomes.succeeded),
    shareText(outcomes),
  ]);
  const { untold } = told;
  const notes = [
    '',
    ...sentencesOf(told),
    ...(untold > 0 ? [`${untold} more cited answers do not count: no upload reported an outcome.`] : []),
  ];
  return [table(['', 'answers', 'succeeded', 'share (95 %)'], rows), ...notes].join('\n');
}

function sentencesOf(told: ToldOutcomes): string[] {
  const { recommended, holdout } = told.arms;
  const uplift = measureUplift(recommended, holdout);
  if (!uplift) return nothingToCompare(told);
  const figure = `Uplift: ${points(uplift.difference)} points, 95 % interval ${points(uplift.low)} to ${points(uplift.high)}.`;
  const meaning: Record<Exclude<Verdict, 'no_comparison'>, string> = {
    too_little_data: `Too little data: both arms need at least ${fewestOutcomes} outcomes.`,
    no_difference_shown: 'Inconclusive: the interval includes 0. More outcomes are needed.',
    recommendations_help: 'Runs succeed more often with recommendations.',
    recommendations_harm: 'Runs succeed less often with recommendations.',
  };
  const verdict = verdictOf(told);
  return [figure, verdict === 'no_comparison' ? '' : meaning[verdict]];
}

function nothingToCompare({ answers, arms }: ToldOutcomes): string[] {
  if (answers === 0) {
    return [
      'Nothing to compare: no upload cites an answer.',
      'In uploads, set metadata.enhancement_id to the enhancement_id of enhance_task, and success to the outcome.',
    ];
  }
  if (arms.holdout.told === 0) {
    return [
      'Nothing to compare: there are no outcomes of held-out answers.',
      'Set WHETSTONE_HOLDOUT_SHARE on the analyser: 0.1 holds out one answer in ten.',
    ];
  }
  return ['Nothing to compare: there are no outcomes of answers with recommendations.'];
}

function shareOf(outcomes: ArmOutcomes): object {
  if (outcomes.told === 0) return { share: null, low: null, high: null };
  return { share: outcomes.succeeded / outcomes.told, ...intervalOfShare(outcomes) };
}

function shareText(outcomes: ArmOutcomes): string {
  if (outcomes.told === 0) return '–';
  const { low, high } = intervalOfShare(outcomes);
  return `${percent(outcomes.succeeded / outcomes.told)} % (${percent(low)} to ${percent(high)})`;
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function points(difference: number): string {
  const text = percent(difference);
  return difference >= 0 ? `+${text.replace('-', '')}` : text;
}
