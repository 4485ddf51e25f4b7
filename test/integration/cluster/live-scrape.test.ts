import { createAccounts, unique } from '../../support/accounts.js';
import {
  type DocumentedMetric,
  differencesFrom,
  readMetricsPage,
  type ScrapedMetric,
  scrape,
} from '../../support/observability/metrics-page.js';
import { sampleNames, unknownNames } from '../../support/observability/names-in-promql.js';
import { expressionsOfProject } from '../../support/observability/project-queries.js';
import { sharedCluster } from '../../support/shared-cluster.js';
import { lessons, lessonUpload } from '../../support/uploads.js';

const cluster = sharedCluster();
let page: DocumentedMetric[];

beforeAll(async () => {
  page = await readMetricsPage();
  const { client } = await createAccounts(cluster().target).open();
  await client.learn(lessonUpload(unique('metrics'), lessons.logs));
});

describe.each(['gateway', 'analyser', 'indexer', 'status'])('every process of the %s', (service) => {
  it('exports exactly what docs/metrics.md says: names, types, labels, help', async () => {
    const promised = page.filter((metric) => metric.in.includes(service));

    for (const opsUrl of cluster().opsUrls[service] as string[]) {
      expect(differencesFrom(promised, await scrape(opsUrl))).toEqual([]);
    }
  });
});

describe('dashboards, alerts and runbooks', () => {
  it('name nothing that no process of the cluster exports', async () => {
    const { expressions, recorded } = await expressionsOfProject();
    const scraped = new Map<string, ScrapedMetric>();
    for (const opsUrl of Object.values(cluster().opsUrls).flat()) {
      for (const [name, metric] of await scrape(opsUrl)) {
        const labels = [...metric.labels, ...(scraped.get(name)?.labels ?? [])];
        scraped.set(name, { ...metric, labels: new Set(labels) });
      }
    }
    // Exported only with a model endpoint, which this cluster lacks.
    for (const { name, type, labels, meaning, sometimesIn } of page) {
      if (sometimesIn.length > 0) scraped.set(name, { type, help: meaning, labels: new Set(labels) });
    }

    expect(unknownNames(expressions, new Map([...sampleNames(scraped), ...recorded]))).toEqual([]);
  });
});
