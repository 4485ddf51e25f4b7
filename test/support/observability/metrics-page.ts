import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { projectFolder } from '../product.js';

export interface DocumentedMetric {
  name: string;
  type: string;
  labels: string[];
  /** The services that always have it. */
  in: string[];
  /** The services that have it where an endpoint is configured. */
  sometimesIn: string[];
  meaning: string;
}

const row = /^\| `(\w+)` \| (\w+) \| (.*?) ?\| ([\w, *]+) \| (.+) \|$/;

/** What docs/metrics.md promises. */
export async function readMetricsPage(): Promise<DocumentedMetric[]> {
  const page = await readFile(join(projectFolder, 'docs/metrics.md'), 'utf8');
  return page.split('\n').flatMap((line) => {
    const [, name = '', type = '', labels = '', where = '', meaning = ''] = row.exec(line) ?? [];
    if (name === '') return [];
    const services = where.split(',').map((service) => service.trim());
    return [
      {
        name,
        type,
        labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label as string),
        in: services.filter((service) => !service.endsWith('*')),
        sometimesIn: services.filter((service) => service.endsWith('*')).map((service) => service.slice(0, -1)),
        meaning,
      },
    ];
  });
}

/** Metrics of Node itself, which prom-client decides about. */
export function isOfNode(name: string): boolean {
  return /^(process|nodejs)_/.test(name);
}
