import type { Command } from 'commander';
import { chooseInstallation } from '../installation/choose-installation.js';
import type { AppliedTopic } from '../installation/installation.js';
import { answer, type CliIo, type CommonOptions } from '../io.js';

export function addTopicCommands(program: Command, io: CliIo): void {
  const topics = program.command('topics').description('the topics of the log, which a cluster has in Kafka');

  topics
    .command('apply')
    .description('make the topics that are missing, and check those that are there')
    .option('--accept-weaker', 'for development: take fewer copies, and topics that promise less, as they are', false)
    .addHelpText('after', help)
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { acceptWeaker: boolean }>();
      const installation = await chooseInstallation(options, io);
      const applied = await installation.use(['topics'], (parts) => parts.topics.apply(options));
      await answer(io, options, { topics: applied }, applied.map(describe).join('\n'));
    });
}

function describe({ topic, created, weaknesses }: AppliedTopic): string {
  const weak = weaknesses.map((weakness) => `\n  weaker: ${weakness}`).join('');
  return `${topic} ${created ? 'made' : 'is there'}${weak}`;
}

const help = `
Run it before the first start of a cluster and with every upgrade; as often as you like, it changes no topic that exists.
Production needs three copies of everything, two of them before an upload is accepted: weaker topics are refused, each with
what is wrong, and nothing is made. A data folder makes its topics by itself.

Examples:
  $ whetstone topics apply
  $ whetstone topics apply --accept-weaker     on a single broker`;
