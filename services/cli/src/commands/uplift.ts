import { type ArmOutcomes, type EnhancementArm, intervalOfShare, measureUplift } from '@whetstone/contracts';
import type { Command } from 'commander';
import { type CollectionChoice, chosenCollections } from '../collections.js';
import { chooseInstallation } from '../installation/choose-installation.js';
import { answer, type CliIo, type CommonOptions, table } from '../io.js';
import { readOutcomes, type ToldOutcomes } from '../read-outcomes.js';

export function addUpliftCommand(program: Command, io: CliIo): void {
  program
    .command('uplift')
    .description('how much more often runs succeed with recommendations than without, measured')
    .option('--collection <name>', 'only this collection of the account: the tenant_id that its callers use')
    .option('--account <name>', 'only the collections of this account')
    .addHelpText('after', help)
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & CollectionChoice>();
      const installation = await chooseInstallation(options, io);
      const told = await installation.use(['knowledge'], async ({ knowledge: { store } }) =>
        readOutcomes(store, await chosenCollections(store, options)),
      );
      await answer(io, options, upliftObject(told), upliftText(told));
    });
}

const help = `
Reads the runs that are stored. A run counts where its upload cites an answer of enhance_task (metadata.enhancement_id) and
says how it ended (success); an answer counts once, however many uploads cite it. Compared are answers with recommendations and
answers that were held out at random: WHETSTONE_HOLDOUT_SHARE of the analyser says how many are. Requests that there was
nothing to recommend to are other tasks, and shown beside.

The interval says what the difference may be, given this many outcomes. Where it includes 0, nothing is shown yet.

Examples:
  $ whetstone uplift
  $ whetstone uplift --account acme --json
  $ whetstone uplift --account acme --collection checkout-bot`;

/** Below this many outcomes of an arm no figure is worth much. */
const fewestOutcomes = 30;

export type Verdict =
  | 'no_comparison'
  | 'too_little_data'
  | 'no_difference_shown'
  | 'recommendations_help'
  | 'recommendations_harm';

export function verdictOf({ arms: { recommended, holdout } }: ToldOutcomes): Verdict {
  const uplift = measureUplift(recommended, holdout);
  if (!uplift) return 'no_comparison';
  if (Math.min(recommended.told, holdout.told) < fewestOutcomes) return 'too_little_data';
  if (uplift.low > 0) return 'recommendations_help';
  return uplift.high < 0 ? 'recommendations_harm' : 'no_difference_shown';
}

/** For programs: shares and differences from -1 to 1. */
export function upliftObject(told: ToldOutcomes): object {
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

/** For people. */
export function upliftText(told: ToldOutcomes): string {
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
    ...(untold > 0 ? [`${untold} more cited answers do not count: no upload said how the run ended.`] : []),
  ];
  return [table(['', 'answers', 'succeeded', 'share (95 %)'], rows), ...notes].join('\n');
}

function sentencesOf(told: ToldOutcomes): string[] {
  const { recommended, holdout } = told.arms;
  const uplift = measureUplift(recommended, holdout);
  if (!uplift) return nothingToCompare(told);
  const figure = `Uplift: ${points(uplift.difference)} points, 95 % interval ${points(uplift.low)} to ${points(uplift.high)}.`;
  const meaning: Record<Exclude<Verdict, 'no_comparison'>, string> = {
    too_little_data: `Too little data to rely on: each of the two needs at least ${fewestOutcomes} outcomes.`,
    no_difference_shown: 'The interval includes no difference at all: more outcomes are needed to tell.',
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
      'Cite what enhance_task returned as enhancement_id in metadata.enhancement_id of the upload, and say in success how it went.',
    ];
  }
  if (arms.holdout.told === 0) {
    return [
      'Nothing to compare: no outcome of an answer that was held out.',
      'Set WHETSTONE_HOLDOUT_SHARE of the analyser, to 0.1 say, to hold out one answer in ten.',
    ];
  }
  return ['Nothing to compare: no outcome of an answer with recommendations.'];
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
