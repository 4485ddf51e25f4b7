#!/usr/bin/env node
/** `npm run docs`: generates docs from sources; with `-- --check` it only checks that they are up to date. */
import { readFile, writeFile } from 'node:fs/promises';

import { analyserConfigSchema } from '@whetstone/analyser';
import { readChartValues, withChartValues } from '@whetstone/deploy';
import { kafkaConfigSchema } from '@whetstone/event-log/kafka';
import { gatewayConfigSchema } from '@whetstone/gateway';
import { rootSecretConfigSchema } from '@whetstone/identity';
import { indexerConfigSchema } from '@whetstone/indexer';
import { milvusConfigSchema } from '@whetstone/indexer/milvus';
import { processConfigSchema, renderConfigurationDocs } from '@whetstone/platform';
import { peerConfigSchemas, rpcServerConfigSchema, rpcTlsConfigSchema } from '@whetstone/rpc';
import { standaloneConfigSchema, standaloneSchemas } from '@whetstone/standalone';
import { statusConfigSchema } from '@whetstone/status';

const project = new URL('../../../', import.meta.url);
const services = ['gateway', 'analyser', 'indexer', 'status'];

const processes = [{ name: 'standalone', schemas: standaloneSchemas }];
for (const name of services) {
  const { processSchemas } = await import(`../../${name}/dist/process-schemas.js`);
  processes.push({ name, schemas: [processConfigSchema, ...processSchemas] });
}
const { viewFolderConfigSchema } = await import('../../status/dist/status-config.js');

const sections = [
  { title: 'Every process', schemas: [processConfigSchema] },
  { title: 'Data folder', schemas: [standaloneConfigSchema, viewFolderConfigSchema] },
  { title: 'Gateway', schemas: [gatewayConfigSchema] },
  { title: 'Analyser', schemas: [analyserConfigSchema] },
  { title: 'Indexer', schemas: [indexerConfigSchema] },
  { title: 'Status', schemas: [statusConfigSchema] },
  { title: 'Root secret of a cluster', schemas: [rootSecretConfigSchema] },
  { title: 'Kafka', schemas: [kafkaConfigSchema] },
  { title: 'Milvus', schemas: [milvusConfigSchema] },
  {
    title: 'Calls between services',
    schemas: [...Object.values(peerConfigSchemas), rpcServerConfigSchema, rpcTlsConfigSchema],
  },
];

await put('docs/configuration.md', renderConfigurationDocs(sections, processes));
const values = readChartValues(await read('charts/whetstone/values.yaml'));
await put('charts/whetstone/README.md', withChartValues(await read('charts/whetstone/README.md'), values));

function read(path) {
  return readFile(new URL(path, project), 'utf8');
}

async function put(path, text) {
  if (!process.argv.includes('--check')) {
    await writeFile(new URL(path, project), text);
  } else if ((await read(path).catch(() => '')) !== text) {
    console.error(`${path} is out of date. Run: npm run docs`);
    process.exitCode = 1;
  }
}
