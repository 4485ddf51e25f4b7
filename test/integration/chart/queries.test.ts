import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { stringify } from 'yaml';

import { expressionsOfProject } from '../../support/observability/project-queries.js';
import { run, tools } from './chart.js';

const chart = tools();

it('the queries of dashboards and runbooks are PromQL, with types that fit', async () => {
  const { expressions } = await expressionsOfProject();
  // As rules, which is what promtool reads; Grafana fills its variables in before it asks.
  const rules = expressions.map(({ place, expression }, index) => ({
    record: `project:query:number${index}`,
    expr: expression.replaceAll(/\$__(rate_interval|range)/g, '5m'),
    labels: { place },
  }));
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-queries-'));
  try {
    const file = join(folder, 'queries.yaml');
    await writeFile(file, stringify({ groups: [{ name: 'queries', rules }] }));
    const { ok, output } = await run(chart().promtool, ['check', 'rules', file]);
    if (!ok) throw new Error(output);
    expect(output).toContain(`${expressions.length} rules found`);
  } finally {
    await rm(folder, { recursive: true });
  }
});
