import { join } from 'node:path';

import { analyserConfigOf, createAnalyser, openInsightProducer } from '@whetstone/analyser';
import { createGateway, gatewayConfigOf } from '@whetstone/gateway';
import { createEnhancementIds, createSeal } from '@whetstone/identity';
import { createIndexer, indexerConfigOf } from '@whetstone/indexer';
import {
  type Clock,
  collectProcessMetrics,
  createOpsServer,
  dataFolder,
  type Logger,
  Registry,
  type RunningProcess,
  type Service,
  type ServiceHealth,
  sleep,
} from '@whetstone/platform';
import { createStatus, statusConfigOf } from '@whetstone/status';
import { type Announcement, removeAddressFile, urlOf, writeAddressFile } from './announce.js';
import { checkDataFiles } from './check-data-files.js';
import { issueFirstKey } from './first-key.js';
import { createGiveWay } from './give-way.js';
import { openDataFolder } from './open-data-folder.js';
import { openLocalParts } from './open-local-parts.js';
import type { ProcessConfig } from './standalone-config.js';

interface StandaloneDeps {
  clock: Clock;
  loggerOf(service: string): Logger;
  running: RunningProcess;
  /** Whether standard output is a terminal. Only then is a first key issued, because it is shown nowhere else. */
  isTerminal: boolean;
}

const phaseMs = 15_000;
const serviceNames = ['status', 'indexer', 'analyser', 'gateway'] as const;

/**
 * Starts the four services on local parts in one process. Each step registers what undoes it, so that a stop, even during the
 * start, runs in reverse: requests first, then jobs, then stores, the lock last.
 */
export async function startStandalone(deps: StandaloneDeps, config: ProcessConfig): Promise<Announcement> {
  const { clock, loggerOf, running, isTerminal } = deps;
  const onStop = (name: string, stop: () => void | Promise<void>) => running.onStop({ name, timeoutMs: phaseMs, stop });
  const folder = dataFolder(config.WHETSTONE_DATA);
  const lock = await openDataFolder(folder);
  onStop('data folder', lock.release);

  const registry = new Registry();
  collectProcessMetrics(registry);
  const services = new Map<string, Service>();
  const ops = createOpsServer({
    host: config.WHETSTONE_OPS_HOST,
    port: config.WHETSTONE_OPS_PORT,
    variables: { host: 'WHETSTONE_OPS_HOST', port: 'WHETSTONE_OPS_PORT' },
    registry,
    health: () => healthOf(services),
    logger: loggerOf('standalone'),
  });
  const opsAddress = await ops.start();
  onStop('ops server', ops.stop);

  await checkDataFiles(folder, loggerOf('standalone'));
  const { roots, log, embedder, store } = await openLocalParts({ folder, config, clock, registry, loggerOf, onStop });
  const seal = createSeal(roots);
  const enhancementIds = createEnhancementIds(roots);
  const forService = (service: string) => ({ clock, registry, logger: loggerOf(service), onCrash: running.fatal });
  const status = createStatus({ ...forService('status'), log }, statusConfigOf(config, folder));
  const indexer = createIndexer({ ...forService('indexer'), store, embedder }, indexerConfigOf(config));
  const analysing = analyserConfigOf(config);
  const producer = await openInsightProducer(analysing, forService('analyser'));
  const analyser = createAnalyser(
    {
      ...forService('analyser'),
      log,
      producer,
      knowledge: indexer.api,
      jobs: status.api,
      enhancementIds,
      seal,
      roots,
      pace: createGiveWay(),
    },
    analysing,
  );
  const gateway = createGateway(
    { ...forService('gateway'), log, analyser: analyser.api, indexer: indexer.api, status: status.api, roots },
    gatewayConfigOf(config),
  );
  for (const [name, service] of Object.entries({ status, indexer, analyser, gateway })) {
    services.set(name, service);
    onStop(name, service.stop);
  }
  for (const service of services.values()) await service.start();

  const addresses = { url: urlOf(gateway.address), opsUrl: urlOf(opsAddress) };
  const addressFile = join(folder.path, 'server.json');
  await writeAddressFile(addressFile, addresses);
  running.onStop({
    name: 'readiness',
    timeoutMs: config.WHETSTONE_DRAIN_MS + phaseMs,
    async stop() {
      ops.drain();
      for (const service of services.values()) service.drain?.();
      await removeAddressFile(addressFile);
      await sleep(config.WHETSTONE_DRAIN_MS);
    },
  });
  // Last, so that nothing can fail between issuing the key and showing it.
  const firstKey = isTerminal ? await issueFirstKey(log, roots, clock) : undefined;
  return {
    ...addresses,
    dataFolder: folder.path,
    docs: config.WHETSTONE_DOCS,
    console: config.WHETSTONE_CONSOLE,
    firstKey,
  };
}

/** Reports every service from the beginning, because alerts rely on these names. */
function healthOf(services: Map<string, Service>): Record<string, ServiceHealth> {
  const starting: ServiceHealth = { live: true, ready: false, dependencies: [] };
  return Object.fromEntries(serviceNames.map((name) => [name, services.get(name)?.health() ?? starting]));
}
