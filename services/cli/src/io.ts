import type { Clock, Environment } from '@whetstone/platform';

/** What the command touches of the process that it runs in. */
export interface CliIo {
  env: Environment;
  clock: Clock;
  /** Resolves when there is room for more. */
  stdout(text: string): void | Promise<void>;
  stderr(text: string): void;
}

/** Options that every command has. */
export interface CommonOptions {
  /** Where the command line names a data folder. */
  data?: string;
  json?: boolean;
}
