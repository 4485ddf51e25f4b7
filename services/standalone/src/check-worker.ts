import { allowIncrementalVacuum, findDamage } from '@whetstone/platform/sqlite';
import { serveWorker } from '@whetstone/platform/worker';

serveWorker({ findDamage, allowIncrementalVacuum });
