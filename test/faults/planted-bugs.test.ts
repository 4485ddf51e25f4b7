import { findsPlantedBugs } from './planted/finds-planted-bugs.js';
import { preload } from './planted/preload.js';
import { startStandaloneSystem } from './systems/start-standalone-system.js';

findsPlantedBugs('product', (folder) => {
  const env = {
    ...preload('standalone-bugs'),
    WHETSTONE_RATE_LIMIT_PER_SECOND: '0',
    WHETSTONE_WORK_LIMIT_BYTES_PER_SECOND: '0',
  };
  return startStandaloneSystem({ folder, env });
});
