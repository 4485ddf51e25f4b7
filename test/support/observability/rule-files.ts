import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from 'yaml';

import { projectFolder } from '../product.js';
import { namesInPromql } from './names-in-promql.js';
import { type KnownNames, type Placed, targetLabels } from './unknown-names.js';

export interface Rule {
  file: string;
  /** One of both. */
  alert?: string;
  record?: string;
  expr: string;
  for?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

/** Every rule of the chart, in order. */
export async function readRules(): Promise<Rule[]> {
  const folder = join(projectFolder, 'charts/whetstone/rules');
  const rules: Rule[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const { groups } = parse(await readFile(join(folder, file), 'utf8')) as {
      groups: { rules: Omit<Rule, 'file'>[] }[];
    };
    rules.push(...groups.flatMap((group) => group.rules.map((rule) => ({ file, ...rule }))));
  }
  return rules;
}

export function expressionsOfRules(rules: readonly Rule[]): Placed[] {
  return rules.map(({ file, alert, record, expr }) => ({ place: `${file}: ${alert ?? record}`, expression: expr }));
}

/** What rules record, with the labels that they group by. */
export function recordedNames(rules: readonly Rule[]): KnownNames {
  return new Map(
    rules.flatMap(({ record, expr }) =>
      record === undefined ? [] : [[record, new Set([...targetLabels, ...namesInPromql(expr).grouping])]],
    ),
  );
}
