import { readFileSync } from 'node:fs';

import { topics } from '@whetstone/contracts';
import {
  type Cluster,
  type ClusterOptions,
  type Engine,
  type ServiceName,
  serviceNames,
  startCluster,
} from '@whetstone/deploy';

import { createKafkaAdmin } from './kafka-admin.js';
import { type Supervised, supervise } from './supervise.js';
import { createOperatorCommand, linesWith, type System } from './system.js';

export interface ClusterSystem extends System {
  readonly broker: Engine;
  readonly vectorStore: Engine;
  processesOf(service: ServiceName): readonly Supervised[];
}

/** Separate processes on real Kafka and Milvus Lite. */
export async function startClusterSystem(options: ClusterOptions): Promise<ClusterSystem> {
  const cluster = await startCluster({
    ...options,
    onUnexpectedEnd: ({ name, exit, lastLines }) => {
      process.stdout.write(`${name} ended by itself (${exit.code ?? exit.signal}):\n${lastLines}\n`);
    },
  });
  const processes = supervisedOf(cluster);
  const admin = createKafkaAdmin(cluster.kafka.brokers);
  const { analyser: analysers } = processes;
  const allReplicas = Object.values(cluster.services).flat();

  async function withoutAnalysis(work: () => Promise<void>): Promise<void> {
    await Promise.all(analysers.map((analyser) => analyser.hold()));
    await work();
    await Promise.all(analysers.map((analyser) => analyser.restart()));
  }

  return {
    name: 'cluster',
    gateways: cluster.gatewayUrls,
    front: cluster.url,
    ...createOperatorCommand(cluster.operator.command),
    broker: cluster.kafka,
    vectorStore: cluster.milvus,
    processes: serviceNames.flatMap((service) => processes[service]),
    processesOf: (service) => processes[service],
    poisonUploads: (values) => admin.appendEverywhere(topics.uploads.name, values),
    rewind: () => withoutAnalysis(() => admin.rewind(topics.uploads.name, 'whetstone-analyser')),
    withoutAnalysis,
    logged: (words) => allReplicas.flatMap(({ logFile }) => linesWith(words, readFileSync(logFile, 'utf8'))),
    async stop() {
      await Promise.all(Object.values(processes).flatMap((some) => some.map((one) => one.stop())));
      await cluster.stop();
    },
  };
}

function supervisedOf({ services }: Cluster): Record<ServiceName, Supervised[]> {
  const entries = serviceNames.map((service) => [service, services[service].map((replica) => supervise(replica))]);
  return Object.fromEntries(entries) as Record<ServiceName, Supervised[]>;
}
