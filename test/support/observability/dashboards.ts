import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { projectFolder } from '../product.js';
import type { Placed } from './names-in-promql.js';

/** The part of Grafana's model that the dashboards use. */
export interface Dashboard {
  /** File name without extension. */
  name: string;
  uid: string;
  title: string;
  description: string;
  schemaVersion: number;
  tags: string[];
  panels: Panel[];
  templating: { list: Variable[] };
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  datasource?: Datasource;
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig?: { defaults: { unit?: string; thresholds?: { steps: unknown[] } } };
  targets?: { refId: string; expr: string; legendFormat?: string; datasource?: Datasource }[];
}

export interface Datasource {
  type: string;
  uid: string;
}

export interface Variable {
  name: string;
  type: string;
  query: string | { query: string };
  datasource?: Datasource;
}

export async function readDashboards(): Promise<Dashboard[]> {
  const folder = join(projectFolder, 'charts/whetstone/dashboards');
  const files = (await readdir(folder)).sort();
  return Promise.all(
    files.map(async (file) => ({
      ...(JSON.parse(await readFile(join(folder, file), 'utf8')) as Omit<Dashboard, 'name'>),
      name: file.replace(/\.json$/, ''),
    })),
  );
}

export function expressionsOfDashboard({ name, panels, templating }: Dashboard): Placed[] {
  const queries = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ place: `${name}: ${title}`, expression: expr })),
  );
  return [...queries, ...templating.list.flatMap((variable) => variableExpressions(name, variable))];
}

/** `label_values(metric{…}, label)`. */
function variableExpressions(dashboard: string, { name, type, query }: Variable): Placed[] {
  if (type !== 'query') return [];
  const text = typeof query === 'string' ? query : query.query;
  const expression = /^label_values\((.*), (\w+)\)$/.exec(text);
  if (!expression) throw new Error(`The variable ${name} of ${dashboard} is not understood: ${text}`);
  return [{ place: `${dashboard}: $${name}`, expression: `sum by (${expression[2]}) (${expression[1]})` }];
}
