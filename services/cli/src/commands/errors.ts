import type { Command } from 'commander';
import { chooseInstallation } from '../installation/choose-installation.js';
import { answer, type CliIo, type CommonOptions } from '../io.js';

export function addErrorCommands(program: Command, io: CliIo): void {
  const errors = program.command('errors').description('read the errors of failed jobs');

  errors
    .command('open')
    .description('decrypt the error_message of a failed job')
    .argument('<sealed text>', 'error_message as the caller received it')
    .addHelpText('after', "\nExample:\n  $ whetstone errors open 'pW3vQk0…=='")
    .action(async (sealed: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const { createSeal } = await import('@whetstone/identity');
      const installation = await chooseInstallation(options, io);
      const message = await installation.use(['roots'], async ({ roots }) => createSeal(roots).open(sealed));
      await answer(io, options, { message }, message);
    });
}
