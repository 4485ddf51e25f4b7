import { kafkaConfigOf, openKafkaEventLog } from '@whetstone/event-log/kafka';
import { createCallTokens, createEnhancementIds, createSeal, rootSecretsOf } from '@whetstone/identity';
import { runService } from '@whetstone/platform';
import { connectTo, createRpcServer, rpcServerConfigOf, rpcService } from '@whetstone/rpc';

import { createGrpcJobLookup, createGrpcKnowledgeBase } from './adapters/grpc-peers.js';
import { analyserConfigOf } from './analyser-config.js';
import { createAnalyser, openInsightProducer } from './create-analyser.js';
import { processSchemas } from './process-schemas.js';

runService({
  name: 'analyser',
  env: process.env,
  schemas: processSchemas,
  async compose({ config, clock, logger, registry, isReady, onStop, onCrash }) {
    const kafka = kafkaConfigOf(config);
    const log = await openKafkaEventLog({ config: kafka, clientId: 'whetstone-analyser', logger, registry, clock });
    onStop('event log', log.close);
    const roots = rootSecretsOf(config);
    const tokens = createCallTokens(roots);
    const calling = { tokens, registry };
    const peers = { indexer: connectTo('indexer', config, calling), status: connectTo('status', config, calling) };
    const derived = { seal: createSeal(roots), enhancementIds: createEnhancementIds(roots) };
    const called = { knowledge: createGrpcKnowledgeBase(peers.indexer), jobs: createGrpcJobLookup(peers.status) };
    const analysing = analyserConfigOf(config);
    const producer = await openInsightProducer(analysing, { logger, registry });
    const deps = { log, roots, ...called, ...derived, producer, clock, logger, registry, onCrash };
    const service = createAnalyser(deps, analysing);
    const services = [rpcService('analyser', { Enhance: service.api.enhance })];
    return {
      service,
      server: createRpcServer({ ...rpcServerConfigOf(config), services, tokens, isReady, logger, registry }),
      peers,
    };
  },
});
