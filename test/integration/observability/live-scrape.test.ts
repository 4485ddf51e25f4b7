import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { says, startScriptedEndpoint } from '@whetstone/platform/test-kit';

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
import { startProduct } from '../../support/product.js';
import { lessons, lessonUpload } from '../../support/uploads.js';

/** Labels that Prometheus adds to targets: it would rename a metric's own label of that name. */
const targetLabels = ['job', 'instance', 'namespace', 'pod', 'service', 'container', 'endpoint', 'node'];
const telltale = /tenant|account|collection|key|request_id|trace|user|query|intent|url|path|message/;

let page: DocumentedMetric[];
let scraped: Map<string, ScrapedMetric>;

beforeAll(async () => {
  // A standalone makes no calls between services.
  const betweenServices = /^rpc_|^whetstone_refused_calls_total$/;
  page = (await readMetricsPage()).filter(({ name }) => !betweenServices.test(name));
  scraped = await scrapeOfAll();
});

describe('docs/metrics.md', () => {
  it('has every metric once, and no label for a tenant, a key, a job or free text', () => {
    expect(page.length).toBeGreaterThan(30);
    expect(new Set(page.map(({ name }) => name)).size).toBe(page.length);
    const labels = page.flatMap((metric) => metric.labels);
    expect(labels.filter((label) => targetLabels.includes(label) || telltale.test(label))).toEqual([]);
  });

  it('says exactly what a standalone server exports: names, types, labels, help', () => {
    expect(differencesFrom(page, scraped)).toEqual([]);
  });

  it('would be wrong with a metric, a label or a word more or less', () => {
    const [first, ...others] = page as [DocumentedMetric, ...DocumentedMetric[]];
    const right = new Map(page.map((metric) => [metric.name, exportedAs(metric)]));

    expect(differencesFrom(page, right)).toEqual([]);
    expect(differencesFrom(others, right)).toHaveLength(1);
    expect(differencesFrom([...page, { ...first, name: 'whetstone_planted' }], right)).toHaveLength(1);
    expect(differencesFrom([{ ...first, labels: [...first.labels, 'tenant'] }, ...others], right)).toHaveLength(1);
    expect(differencesFrom([{ ...first, meaning: 'Else' }, ...others], right)).toHaveLength(1);
  });
});

describe('dashboards, alerts and runbooks', () => {
  it('name nothing that a standalone server does not export, but for calls between services', async () => {
    const { expressions, recorded } = await expressionsOfProject();
    const alone = expressions.filter(({ expression }) => !expression.includes('rpc_'));

    expect(alone.length).toBeGreaterThan(150);
    expect(unknownNames(alone, new Map([...sampleNames(scraped), ...recorded]))).toEqual([]);
  });

  it('would be told of a name that nobody exports', async () => {
    const { expressions, recorded } = await expressionsOfProject();
    const rows = expressions.filter(({ expression }) => expression.includes('whetstone_rows'));
    const others = new Map([...scraped].filter(([name]) => name !== 'whetstone_rows'));

    expect(rows.length).toBeGreaterThan(0);
    expect(unknownNames(expressions, new Map([...sampleNames(others), ...recorded]))).toEqual(
      expect.arrayContaining(rows.map(({ place }) => `${place}: there is no metric whetstone_rows`)),
    );
  });
});

function exportedAs({ type, meaning, labels }: DocumentedMetric): ScrapedMetric {
  return { type, help: meaning, labels: new Set(labels) };
}

/** With a model endpoint, so that every metric exists. */
async function scrapeOfAll(): Promise<Map<string, ScrapedMetric>> {
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-metrics-'));
  const usage = { prompt_tokens: 10, completion_tokens: 2 };
  const model = await startScriptedEndpoint(says(JSON.stringify({ insights: [] }), { usage }));
  const env = { WHETSTONE_MODEL_NAME: 'scripted', WHETSTONE_MODEL_BASE_URL: model.url };
  const product = await startProduct({ folder, env });
  try {
    const { client } = await createAccounts(product.target).open();
    await client.learn(lessonUpload(unique('metrics'), lessons.logs));
    return await scrape(product.target.opsUrl);
  } finally {
    await product.stop();
    await model.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
