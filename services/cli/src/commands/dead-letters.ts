import type { Command } from 'commander';
import type { GivenUp } from '../dead-letters.js';
import { chooseInstallation } from '../installation/choose-installation.js';
import { answer, type CliIo, type CommonOptions, shortTimeOf, table, timeOf } from '../io.js';

interface ReplayOptions extends CommonOptions {
  job?: string;
  all?: boolean;
}

export function addDeadLetterCommands(program: Command, io: CliIo): void {
  const deadLetters = program
    .command('dead-letters')
    .description('uploads that could not be processed, kept for 30 days')
    .addHelpText('after', help);

  deadLetters
    .command('list')
    .description('list failed uploads that have not succeeded since, and why they failed')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const { readDeadLetters } = await import('../dead-letters.js');
      const installation = await chooseInstallation(options, io);
      const letters = await installation.use(['log'], ({ log }) => readDeadLetters(log, io));
      await answer(io, options, { dead_letters: letters.map(deadLetterObject) }, describeDeadLetters(letters));
    });

  deadLetters
    .command('replay')
    .description('queue failed uploads again')
    .option('--job <id>', 'the upload of this job')
    .option('--all', 'all failed uploads')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<ReplayOptions>();
      if ((options.job === undefined) === (options.all === undefined)) {
        command.error('error: use either --job ID or --all');
      }
      const { replay } = await import('../dead-letters.js');
      const installation = await chooseInstallation(options, io);
      const result = await installation.use(['log'], ({ log }) => replay(log, io, options.job));
      const skipped = result.skipped.map(({ jobId, reason }) => ({ job_id: jobId ?? null, reason }));
      const lines = result.skipped.map(({ reason }) => `\nSkipped: ${reason}`);
      const text = `${result.replayed.length} queued again.${lines.join('')}`;
      await answer(io, options, { replayed: result.replayed, skipped }, text);
    });
}

const help = `
An upload becomes a dead letter after three failed tries, or when its job has not finished within a day. Fix the cause,
then replay: the job stays failed until it completes. Uploads accepted more than 30 days ago cannot be replayed.

Examples:
  $ whetstone dead-letters list --json | jq '.dead_letters[].reason'
  $ whetstone dead-letters replay --job job_06e…
  $ whetstone dead-letters replay --all`;

function deadLetterObject({ jobId, upload, reason, detail, tries, failedAt }: GivenUp): object {
  return {
    job_id: jobId ?? null,
    ...(upload && { collection_id: upload.collectionId, key_id: upload.keyId, accepted_at: timeOf(upload.acceptedAt) }),
    failed_at: timeOf(failedAt),
    tries,
    reason,
    detail,
  };
}

function describeDeadLetters(letters: readonly GivenUp[]): string {
  if (letters.length === 0) return 'No dead letters.';
  return table(
    ['JOB', 'FAILED (UTC)', 'TRIES', 'REASON', 'DETAIL'],
    letters.map((letter) => lineOf(letter)),
  );
}

function lineOf({ jobId, failedAt, tries, reason, detail }: GivenUp): string[] {
  return [jobId ?? '(unreadable upload)', shortTimeOf(failedAt), String(tries), reason, detail.replaceAll(/\s+/g, ' ')];
}
