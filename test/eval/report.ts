import { type Bin, calibrationError } from './calibration.js';
import { describeGoal, type Goal, isMet } from './goals.js';
import { type Measure, type Metric, metrics } from './measure.js';

export interface Row {
  metric: Metric;
  data: string;
  questions: number;
  baselines: Record<string, number>;
  /** The best that the stored attempts allow, where that is known. */
  ceiling?: number;
  whetstone: number;
  goal: string;
  met: boolean;
}

export interface NamedMeasures {
  name: string;
  measures: readonly Measure[];
}

/** One row a metric and domain: all who were measured, side by side. */
export function rowsOf(
  service: NamedMeasures,
  baselines: readonly NamedMeasures[],
  goals: Record<Metric, Goal>,
): Row[] {
  const order = Object.keys(metrics);
  const rows = service.measures.map(({ metric, data, value, questions }): Row => {
    const beside = baselines.flatMap(({ name, measures }): [string, number][] => {
      const same = measures.find((measure) => measure.metric === metric && measure.data === data);
      return same ? [[name, same.value]] : [];
    });
    const goal = goals[metric];
    return {
      metric,
      data,
      questions,
      baselines: Object.fromEntries(beside),
      whetstone: value,
      goal: describeGoal(goal),
      met: isMet(value, goal),
    };
  });
  return rows.sort((one, other) => order.indexOf(one.metric) - order.indexOf(other.metric));
}

export function formatRows(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap(({ baselines }) => Object.keys(baselines)))];
  const head = ['metric', 'data', 'n', ...names, 'ceiling', 'Whetstone', 'goal', 'met'];
  const lines = rows.map(({ metric, data, questions, baselines, ceiling, whetstone, goal, met }) => [
    metrics[metric],
    data,
    String(questions),
    ...names.map((name) => figure(baselines[name])),
    figure(ceiling),
    figure(whetstone),
    goal,
    met ? 'yes' : 'NO',
  ]);
  return columns([head, ...lines], 2);
}

export function formatCalibration(bins: readonly Bin[]): string {
  const lines = bins.map(({ from, to, answers, meanConfidence, useful }) => [
    `${from.toFixed(1)}–${to.toFixed(1)}`,
    String(answers),
    figure(meanConfidence),
    figure(useful),
  ]);
  const table = columns([['confidence', 'answers', 'mean', 'useful'], ...lines], 1);
  return `${table}\n  off by ${figure(calibrationError(bins))} on average`;
}

function figure(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(2).replace(/^0\./, '.');
}

/** The first `left` columns are words, the others numbers. */
function columns(lines: readonly string[][], left: number): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] as string).length)));
  return lines
    .map((line) => {
      const cells = line.map((cell, column) => {
        const width = widths[column] as number;
        return column < left ? cell.padEnd(width) : cell.padStart(width);
      });
      return `  ${cells.join('  ')}`.trimEnd();
    })
    .join('\n');
}
