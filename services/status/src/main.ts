import { kafkaConfigOf, openKafkaEventLog } from '@whetstone/event-log/kafka';
import { createCallTokens, rootSecretsOf } from '@whetstone/identity';
import { runService } from '@whetstone/platform';
import { createRpcServer, rpcServerConfigOf, rpcService } from '@whetstone/rpc';

import { createStatus } from './create-status.js';
import { processSchemas } from './process-schemas.js';
import { openViewFolder, statusConfigOf } from './status-config.js';

runService({
  name: 'status',
  env: process.env,
  schemas: processSchemas,
  async compose({ config, clock, logger, registry, isReady, onStop, onCrash }) {
    const kafka = kafkaConfigOf(config);
    const folder = await openViewFolder(config.WHETSTONE_DATA);
    onStop('view folder', folder.close);
    const log = await openKafkaEventLog({ config: kafka, clientId: 'whetstone-status', logger, registry, clock });
    onStop('event log', log.close);
    const deps = { log, clock, logger, registry, onCrash };
    const service = createStatus(deps, statusConfigOf(config, folder.files));
    const { getJob, listRuns, countRuns, listAudit, getUsage } = service.api;
    const methods = {
      GetJob: getJob,
      ListRuns: listRuns,
      CountRuns: countRuns,
      ListAudit: listAudit,
      GetUsage: getUsage,
    };
    const services = [rpcService('status', methods)];
    const tokens = createCallTokens(rootSecretsOf(config));
    const serving = { ...rpcServerConfigOf(config), services, tokens, isReady, logger, registry };
    return { service, server: createRpcServer(serving) };
  },
});
