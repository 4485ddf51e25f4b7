import { findsPlantedBugs } from '../planted/finds-planted-bugs.js';
import { preload } from '../planted/preload.js';
import { startClusterSystem } from '../systems/start-cluster-system.js';

findsPlantedBugs('cluster', (folder) => {
  const bugs = preload('cluster-bugs');
  return startClusterSystem({
    folder,
    replicas: { gateway: 1, analyser: 1, indexer: 1, status: 1 },
    settings: {
      gateway: { ...bugs, WHETSTONE_RATE_LIMIT_PER_SECOND: '0', WHETSTONE_WORK_LIMIT_BYTES_PER_SECOND: '0' },
      indexer: bugs,
    },
  });
});
