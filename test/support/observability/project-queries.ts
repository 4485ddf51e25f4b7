import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from 'yaml';

import { projectFolder } from '../product.js';
import { expressionsOfDashboard, readDashboards } from './dashboards.js';
import { type KnownNames, namesInPromql, type Placed, targetLabels } from './names-in-promql.js';

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

/** All rules of the chart, in order. */
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

export interface RunbookPage {
  /** File name without extension. */
  name: string;
  text: string;
}

export async function readRunbookPages(): Promise<RunbookPage[]> {
  const folder = join(projectFolder, 'docs/runbooks');
  const files = (await readdir(folder)).sort();
  return Promise.all(
    files.map(async (file) => ({ name: file.replace(/\.md$/, ''), text: await readFile(join(folder, file), 'utf8') })),
  );
}

/** One expression per line of its `promql` blocks. */
export function expressionsOfPage({ name, text }: RunbookPage): Placed[] {
  return blocksOf(text, 'promql').map((expression) => ({ place: `${name}.md`, expression }));
}

/** The `whetstone` commands of its `bash` blocks and of its sentences, from the command's name on. */
export function whetstoneCommandsOf({ text }: RunbookPage): string[][] {
  const inSentences = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code as string);
  return [...blocksOf(text, 'bash'), ...inSentences].flatMap((line) => {
    const command = /(?:^|-- )whetstone ([a-z].*)$/.exec(line)?.[1];
    return command === undefined ? [] : [command.split(' ')];
  });
}

function blocksOf(text: string, language: string): string[] {
  const blocks = [...text.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))];
  return blocks.flatMap(([, lines]) => (lines as string).split('\n')).filter((line) => line !== '');
}

/** All queries of the project, and what its own rules record. */
export async function expressionsOfProject(): Promise<{ expressions: Placed[]; recorded: KnownNames }> {
  const rules = await readRules();
  const expressions = [
    ...expressionsOfRules(rules),
    ...(await readDashboards()).flatMap(expressionsOfDashboard),
    ...(await readRunbookPages()).flatMap(expressionsOfPage),
  ];
  return { expressions, recorded: recordedNames(rules) };
}
