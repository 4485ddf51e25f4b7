import { type DocumentedMetric, isOfNode } from './metrics-page.js';
import type { ScrapedMetric } from './scrape.js';

/** How what a process exports differs from what the page says of these metrics: nothing, where both are right. */
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
