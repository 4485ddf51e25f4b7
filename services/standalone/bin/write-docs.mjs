#!/usr/bin/env node
/** `npm run docs`: writes docs/configuration.md from the schemas; with `-- --check` only says whether it is up to date. */
import { readFile, writeFile } from 'node:fs/promises';

import { renderConfigurationDocs } from '@whetstone/platform';

const file = new URL('../../../docs/configuration.md', import.meta.url);
const sections = ['standalone', 'gateway', 'analyser', 'indexer', 'status'];

const schemas = [];
for (const name of sections) {
  const service = await import(`@whetstone/${name}`);
  const schema = service[`${name}ConfigSchema`];
  if (schema) schemas.push({ title: `${name[0].toUpperCase()}${name.slice(1)}`, schema });
}
const { rootSecretConfigSchema } = await import('@whetstone/identity');
schemas.push({ title: 'Root secret of a cluster', schema: rootSecretConfigSchema });
const { kafkaConfigSchema } = await import('@whetstone/event-log/kafka');
schemas.push({ title: 'Kafka', schema: kafkaConfigSchema });
const text = renderConfigurationDocs(schemas);

if (!process.argv.includes('--check')) {
  await writeFile(file, text);
} else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
  console.error('docs/configuration.md is not what the schemas say. Run: npm run docs');
  process.exitCode = 1;
}
