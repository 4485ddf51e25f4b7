import { kafkaConfigOf, openKafkaEventLog } from '@whetstone/event-log/kafka';
import { createCallTokens, rootSecretsOf } from '@whetstone/identity';
import { runService } from '@whetstone/platform';
import { connectTo } from '@whetstone/rpc';
import { createGrpcEnhancer, createGrpcIndexer, createGrpcStatus } from './adapters/grpc-services.js';
import { createGateway } from './create-gateway.js';
import { gatewayConfigOf } from './gateway-config.js';
import { processSchemas } from './process-schemas.js';

/** Twice as long as it takes gateways to notice new events while Kafka answers. */
const keyHandoverMs = 2000;

runService({
  name: 'gateway',
  env: process.env,
  schemas: processSchemas,
  async compose({ config, clock, logger, registry, onStop, onCrash }) {
    const kafka = kafkaConfigOf(config);
    const log = await openKafkaEventLog({ config: kafka, clientId: 'whetstone-gateway', logger, registry, clock });
    onStop('event log', log.close);
    const roots = rootSecretsOf(config);
    const calling = { tokens: createCallTokens(roots), registry };
    const peers = {
      analyser: connectTo('analyser', config, calling),
      indexer: connectTo('indexer', config, calling),
      status: connectTo('status', config, calling),
    };
    const called = {
      analyser: createGrpcEnhancer(peers.analyser),
      indexer: createGrpcIndexer(peers.indexer),
      status: createGrpcStatus(peers.status),
    };
    const deps = { log, roots, clock, logger, registry, onCrash };
    const service = createGateway({ ...deps, ...called }, { ...gatewayConfigOf(config), keyHandoverMs });
    return { service, peers, port: () => service.address?.port };
  },
});
