import { constants, setPriority } from 'node:os';

import { type EngineName, fetchEngines, missingPrerequisites } from './fetch-engines.js';

// Builds must not take the cores from the tests that run meanwhile. Child processes inherit the priority.
setPriority(constants.priority.PRIORITY_LOW);

await Promise.all(
  (process.argv.slice(2) as EngineName[]).map(async (engine) => {
    // Whoever needs the engine fetches it again and reports the error.
    if ((await missingPrerequisites([engine])) !== undefined) return;
    await fetchEngines({ say: console.log }, [engine]).catch(() => {});
  }),
);
