#!/usr/bin/env node
/** `npm run docs`: writes docs/configuration.md from the schemas; with `-- --check` only says whether it is up to date. */
import { readFile, writeFile } from 'node:fs/promises';

import { analyserConfigSchema } from '@whetstone/analyser';
import { kafkaConfigSchema } from '@whetstone/event-log/kafka';
import { gatewayConfigSchema } from '@whetstone/gateway';
import { rootSecretConfigSchema } from '@whetstone/identity';
import { indexerConfigSchema } from '@whetstone/indexer';
import { milvusConfigSchema } from '@whetstone/indexer/milvus';
import { processConfigSchema, renderConfigurationDocs } from '@whetstone/platform';
import { peerConfigSchemas, rpcServerConfigSchema, rpcTlsConfigSchema } from '@whetstone/rpc';
import { standaloneConfigSchema, standaloneSchemas } from '@whetstone/standalone';
import { statusConfigSchema } from '@whetstone/status';

const file = new URL('../../../docs/configuration.md', import.meta.url);
const services = ['gateway', 'analyser', 'indexer', 'status'];

const processes = [{ name: 'standalone', schemas: standaloneSchemas }];
for (const name of services) {
  const { processSchemas } = await import(`../../${name}/dist/process-schemas.js`);
  processes.push({ name, schemas: [processConfigSchema, ...processSchemas] });
}
const { viewFolderConfigSchema } = await import('../../status/dist/view-folder.js');

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
const text = renderConfigurationDocs(sections, processes);

if (!process.argv.includes('--check')) {
  await writeFile(file, text);
} else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
  console.error('docs/configuration.md is not what the schemas say. Run: npm run docs');
  process.exitCode = 1;
}
