import type { Command } from 'commander';
import { chooseInstallation } from '../installation/choose-installation.js';
import type { AppliedTopic } from '../installation/installation.js';
import { answer, type CliIo, type CommonOptions } from '../io.js';

export function addTopicCommands(program: Command, io: CliIo): void {
  const topics = program.command('topics').description('manage the Kafka topics of a cluster');

  topics
    .command('apply')
    .description('create missing topics and check existing ones')
    .option('--accept-weaker', 'for development: accept topics with fewer replicas or weaker guarantees', false)
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
  return `${topic} ${created ? 'created' : 'exists'}${weak}`;
}

const help = `
Run it before the first start of a cluster and before every upgrade. It never changes existing topics. Production needs
three replicas, two of them in sync before an upload is accepted: weaker topics are refused with the reason, and nothing is
created. A data folder creates its topics by itself.

Examples:
  $ whetstone topics apply
  $ whetstone topics apply --accept-weaker     on a single broker`;
