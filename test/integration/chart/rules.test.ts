import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { stringify } from 'yaml';

import { chartFolder, manifestsIn, render, run, tools, valuesOf } from './chart.js';

const chart = tools();
const filesIn = (folder: string) =>
  readdirSync(join(chartFolder, folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(chartFolder, folder, name));

describe('the alerts', () => {
  it('are rules that Prometheus takes, as the chart renders them', async () => {
    const manifests = manifestsIn(
      await render(chart(), [...valuesOf('minimal'), '--set', 'metrics.rules.enabled=true']),
    );
    const rules = manifests.filter(({ kind }) => kind === 'PrometheusRule');
    expect(rules).not.toEqual([]);
    const folder = await mkdtemp(join(tmpdir(), 'whetstone-rules-'));
    try {
      for (const { metadata, spec } of rules) {
        const file = join(folder, `${metadata.name}.yaml`);
        await writeFile(file, stringify({ groups: spec?.['groups'] }));
        const { ok, output } = await run(chart().promtool, ['check', 'rules', '--lint=all', '--lint-fatal', file]);
        if (!ok) throw new Error(output);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('fire when they have to, and not otherwise', async () => {
    const tests = filesIn('tests/rules');
    expect(tests).not.toEqual([]);
    const { ok, output } = await run(chart().promtool, ['test', 'rules', ...tests]);
    if (!ok) throw new Error(output);
  });
});
