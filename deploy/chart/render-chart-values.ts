import type { ChartValue } from './read-chart-values.js';

const begin = '<!-- Written by `npm run docs` from values.yaml. -->';
const end = '<!-- The end of what `npm run docs` writes. -->';

/** The text with the tables of all values where it has the place for them. */
export function withChartValues(readme: string, values: readonly ChartValue[]): string {
  const [before, rest] = readme.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`The text has no place for values: ${begin} … ${end}`);
  return `${before}${begin}\n\n${renderChartValues(values)}\n${end}${after}`;
}

/** A table for each value at the top that holds others, after one for those that hold none. */
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
