import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';

/** One setting in values.yaml. */
export interface ChartValue {
  /** Such as `['kafka', 'tls', 'enabled']`. */
  path: readonly string[];
  description: string;
  /** As written, on one line; undefined for a group of values. */
  fallback: string | undefined;
}

/**
 * Reads each value with the comment above it. A block map is a group of values, a map in braces a single value. Throws if a
 * value has no description.
 */
export function readChartValues(text: string): ChartValue[] {
  const lines = text.split('\n');
  const { contents } = parseDocument(text);
  if (!isMap(contents)) throw new Error('values.yaml is not a map');
  const values = [...valuesOf(contents, [], text, lines)];
  const silent = values.filter(({ description, fallback }) => fallback !== undefined && description === '');
  if (silent.length > 0) throw new Error(`Not described: ${silent.map(({ path }) => path.join('.')).join(', ')}`);
  return values;
}

function* valuesOf(map: YAMLMap, above: readonly string[], text: string, lines: string[]): Generator<ChartValue> {
  for (const { key, value } of map.items as Pair[]) {
    if (!isScalar(key) || !key.range) throw new Error(`A name below ${above.join('.')} cannot be read`);
    const path = [...above, String(key.value)];
    const description = commentAbove(lines, lineAt(text, key.range[0]));
    if (isMap(value) && !value.flow) {
      yield { path, description, fallback: undefined };
      yield* valuesOf(value, path, text, lines);
    } else {
      const [start, end] = (value as { range: [number, number] }).range;
      yield { path, description, fallback: text.slice(start, end).trim().replaceAll(/\s+/g, ' ') };
    }
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1;
}

function commentAbove(lines: string[], line: number): string {
  const said: string[] = [];
  for (let at = line - 1; lines[at]?.trim().startsWith('# '); at -= 1)
    said.unshift((lines[at] as string).trim().slice(2));
  return said.join(' ');
}

const begin = '<!-- Written by `npm run docs` from values.yaml. -->';
const end = '<!-- The end of what `npm run docs` writes. -->';

/** Replaces the part between the marks with tables of all values. */
export function withChartValues(readme: string, values: readonly ChartValue[]): string {
  const [before, rest] = readme.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`The text has no marks for the values: ${begin} … ${end}`);
  return `${before}${begin}\n\n${renderChartValues(values)}\n${end}${after}`;
}

/** One table for the ungrouped values, then one per group. */
function renderChartValues(values: readonly ChartValue[]): string {
  const holders = values.filter(({ path, fallback }) => path.length === 1 && fallback === undefined);
  const alone = values.filter(({ path, fallback }) => path.length === 1 && fallback !== undefined);
  const sections = holders.map(({ path: [name], description }) => {
    const held = values.filter(({ path, fallback }) => path[0] === name && fallback !== undefined);
    return `### ${name}\n\n${description}\n\n${table(held)}`;
  });
  return [table(alone), ...sections].join('\n');
}

function table(values: readonly ChartValue[]): string {
  const rows = values.map(({ path, description, fallback = '' }) => {
    const shown = fallback === '""' ? '–' : `\`${fallback}\``;
    return `| \`${path.join('.')}\` | ${shown} | ${description} |\n`;
  });
  return `| value | default | what it does |\n|---|---|---|\n${rows.join('')}`;
}
