import { namesInPromql } from './names-in-promql.js';
import type { ScrapedMetric } from './scrape.js';

/** Labels by the name of samples, as scraped or recorded. */
export type KnownNames = ReadonlyMap<string, ReadonlySet<string>>;

/** An expression, and where it stands. */
export interface Placed {
  place: string;
  expression: string;
}

/** Given to every target by Prometheus and its operator, and so to every metric. */
export const targetLabels: readonly string[] = ['namespace', 'pod', 'job', 'instance'];

/** What these expressions name and nobody exports. */
export function unknownNames(expressions: readonly Placed[], known: KnownNames): string[] {
  return expressions.flatMap(({ place, expression }) => {
    const { selectors, grouping } = namesInPromql(expression);
    const problems: string[] = [];
    const everywhere = new Set(targetLabels);
    for (const { metric, labels } of selectors) {
      const own = known.get(metric);
      if (!own) {
        problems.push(`${place}: there is no metric ${metric}`);
        continue;
      }
      for (const label of own) everywhere.add(label);
      for (const label of labels) {
        if (!own.has(label) && !targetLabels.includes(label))
          problems.push(`${place}: ${metric} has no label ${label}`);
      }
    }
    for (const label of grouping)
      if (!everywhere.has(label)) problems.push(`${place}: nothing there has a label ${label}`);
    return problems;
  });
}

/** The samples that a scrape has: a histogram's are its buckets, its sum and its count. */
export function sampleNames(scraped: ReadonlyMap<string, ScrapedMetric>): KnownNames {
  return new Map(
    [...scraped].flatMap(([name, { type, labels }]): [string, ReadonlySet<string>][] =>
      type === 'histogram'
        ? [
            [`${name}_bucket`, new Set([...labels, 'le'])],
            [`${name}_sum`, labels],
            [`${name}_count`, labels],
          ]
        : [[name, labels]],
    ),
  );
}
