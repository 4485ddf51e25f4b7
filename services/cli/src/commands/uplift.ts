import type { Command } from 'commander';

import { type CollectionChoice, chosenCollections } from '../chosen-collections.js';
import { chooseInstallation } from '../installation/choose-installation.js';
import type { CliIo, CommonOptions } from '../io.js';
import { answer } from '../print.js';
import { readOutcomes } from '../read-outcomes.js';
import { upliftObject, upliftText } from '../uplift-text.js';

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
