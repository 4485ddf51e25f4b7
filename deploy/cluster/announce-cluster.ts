import { serviceNames } from './replicas.js';
import type { Cluster } from './start-cluster.js';

/** What `npm run cluster` prints. */
export function announceCluster(
  cluster: Pick<Cluster, 'url' | 'opsUrl' | 'services' | 'kafka' | 'milvus' | 'folder' | 'operator'>,
  firstKey: string,
): string {
  const { url, opsUrl, services, kafka, milvus, folder, operator } = cluster;
  const processes = serviceNames
    .toReversed()
    .flatMap((service) => services[service])
    .map(({ name, service, address, opsUrl, pid }) => {
      const protocol = service === 'gateway' ? 'http' : 'grpc';
      return `    ${name.padEnd(11)} ${`${protocol}://${address}`.padEnd(23)} ${opsUrl}/readyz  process ${pid}`;
    });
  return [
    '',
    `  A Whetstone cluster is listening on ${url}`,
    `  interactive documentation  ${url}/docs`,
    `  health and metrics of all  ${opsUrl}/readyz  ${opsUrl}/metrics`,
    '',
    '  behind it',
    ...processes,
    `    Kafka       ${kafka.brokers.join(',')}`,
    `    Milvus Lite ${milvus.address}`,
    `  logs and data              ${folder}`,
    '',
    '  A first key:',
    '',
    `    export WHETSTONE_KEY=${firstKey}`,
    '',
    '  The first call, in another terminal:',
    '',
    `    curl -s ${url}/ -H "x-api-key: $WHETSTONE_KEY"`,
    '',
    '  An operator’s command on this cluster:',
    '',
    `    ${operator.command} keys list`,
    '',
    '  Ctrl-C stops everything.',
    '',
  ].join('\n');
}
