import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { projectFolder } from '../product.js';

export interface DocumentedMetric {
  name: string;
  type: string;
  labels: string[];
  /** Services that always export it. */
  in: string[];
  /** Services that export it if an endpoint is configured. */
  sometimesIn: string[];
  meaning: string;
}

const row = /^\| `(\w+)` \| (\w+) \| (.*?) ?\| ([\w, *]+) \| (.+) \|$/;

/** The content of docs/metrics.md. */
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

/** Metrics of Node itself, which prom-client defines. */
export function isOfNode(name: string): boolean {
  return /^(process|nodejs)_/.test(name);
}

/** One metric as a process exports it. */
export interface ScrapedMetric {
  type: string;
  help: string;
  /** Labels of its samples, without those that its type adds (`le`). */
  labels: Set<string>;
}

/** `/metrics`, by metric name. */
export function parseScrape(text: string): Map<string, ScrapedMetric> {
  const metrics = new Map<string, ScrapedMetric>();
  const known = (name: string) => {
    const metric = metrics.get(name) ?? { type: '', help: '', labels: new Set<string>() };
    metrics.set(name, metric);
    return metric;
  };
  let current: ScrapedMetric | undefined;
  for (const line of text.split('\n')) {
    const described = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (described) {
      const [, what, name, value] = described as unknown as [string, string, string, string];
      current = known(name);
      if (what === 'TYPE') current.type = value;
      else current.help = value;
    } else if (line !== '') {
      for (const label of labelNamesOf(line)) if (label !== 'le') current?.labels.add(label);
    }
  }
  return metrics;
}

export async function scrape(opsUrl: string): Promise<Map<string, ScrapedMetric>> {
  return parseScrape(await (await fetch(`${opsUrl}/metrics`)).text());
}

/** Label values may contain braces and commas, so they are removed first. */
function labelNamesOf(sample: string): string[] {
  const withoutValues = sample.replace(/"(?:[^"\\]|\\.)*"/g, '');
  const labels = /\{(.*)\}/.exec(withoutValues)?.[1] ?? '';
  return labels.split(',').flatMap((pair) => (pair.includes('=') ? [pair.slice(0, pair.indexOf('=')).trim()] : []));
}

/** Differences between these metrics as exported and as documented. */
export function differencesFrom(
  documented: readonly DocumentedMetric[],
  scraped: ReadonlyMap<string, ScrapedMetric>,
): string[] {
  const differences: string[] = [];
  for (const { name, type, labels, meaning } of documented) {
    const metric = scraped.get(name);
    if (!metric) {
      differences.push(`${name} is not exported`);
      continue;
    }
    const exported = [...metric.labels].sort();
    if (metric.type !== type) differences.push(`${name} is a ${metric.type}`);
    if (metric.help !== meaning) differences.push(`${name} says of itself: ${metric.help}`);
    if (exported.join() !== [...labels].sort().join()) differences.push(`${name} has the labels ${exported.join()}`);
  }
  const names = new Set(documented.map(({ name }) => name));
  for (const name of scraped.keys()) {
    if (!names.has(name) && !isOfNode(name)) differences.push(`${name} is not on the page`);
  }
  return differences;
}
