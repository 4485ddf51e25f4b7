import { constants, setPriority } from 'node:os';

import { type EngineName, fetchEngines, missingPrerequisites } from './fetch-engines.js';

// Builds would take every core from whatever is done meanwhile. What this process starts inherits it.
setPriority(constants.priority.PRIORITY_LOW);

await Promise.all(
  (process.argv.slice(2) as EngineName[]).map(async (engine) => {
    // Whoever needs an engine that cannot be had tries again, and tells why.
    if ((await missingPrerequisites([engine])) !== undefined) return;
    await fetchEngines({ say: console.log }, [engine]).catch(() => {});
  }),
);
