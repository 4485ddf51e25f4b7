import { resolve } from 'node:path';

import { createLogger, createSystemClock, runProcess, startTelemetry } from '@whetstone/platform';

import { announce, announceInLog } from './announce.js';
import { readProcessConfig } from './standalone-config.js';
import { startStandalone } from './start-standalone.js';

// Everything written is readable only by the user that runs the server, whatever the folder.
process.umask(0o077);
const config = readProcessConfig(process.env);
// Compacting a file makes a copy of it; a container's /tmp is too small for that. SQLite reads this once.
process.env['SQLITE_TMPDIR'] ??= resolve(config.WHETSTONE_DATA);
const isTerminal = process.stdout.isTTY === true;
const loggerOf = (service: string) => createLogger({ service, level: config.WHETSTONE_LOG_LEVEL, pretty: isTerminal });

const logger = loggerOf('standalone');

runProcess({
  graceMs: config.WHETSTONE_STOP_GRACE_MS,
  logger,
  async start(running) {
    const stopTelemetry = await startTelemetry({ service: 'whetstone', env: process.env });
    running.onStop({ name: 'telemetry', timeoutMs: 5_000, stop: stopTelemetry });
    const announcement = await startStandalone({ clock: createSystemClock(), loggerOf, running, isTerminal }, config);
    if (isTerminal) console.log(announce(announcement));
    else logger.info(...announceInLog(announcement));
  },
});
