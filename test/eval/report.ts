import { readFile } from 'node:fs/promises';

import { type Bin, calibrationError } from './calibration.js';
import type { Learnt } from './contenders/rest-service.js';
import { describeGoal, type Goal, isMet } from './goals.js';
import { type Measure, type Metric, metrics } from './measure.js';
import type { AnswerSummary } from './write-answers.js';

/** The figures of an earlier run, by metric and data. */
export async function readBefore(file: string): Promise<(row: Row) => number | undefined> {
  const earlier = JSON.parse(await readFile(file, 'utf8')) as { rows?: Row[] };
  if (!Array.isArray(earlier.rows)) throw new Error(`${file} is not what --json wrote`);
  const known = new Map(earlier.rows.map(({ metric, data, whetstone }) => [`${metric} ${data}`, whetstone]));
  return ({ metric, data }) => known.get(`${metric} ${data}`);
}

export interface Row {
  metric: Metric;
  data: string;
  questions: number;
  baselines: Record<string, number>;
  /** The best the stored attempts allow, if known. */
  ceiling?: number;
  whetstone: number;
  margin: number;
  /** Whetstone's figures of an earlier run. */
  before?: number;
  goal: string;
  met: boolean;
}

export interface NamedMeasures {
  name: string;
  measures: readonly Measure[];
}

/** One row per metric and domain, with all contenders side by side. */
export function rowsOf(
  service: readonly Measure[],
  baselines: readonly NamedMeasures[],
  goals: Record<Metric, Goal>,
): Row[] {
  const order = Object.keys(metrics);
  const rows = service.map(({ metric, data, value, questions, margin }): Row => {
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
      margin,
      goal: describeGoal(goal),
      met: isMet(value, goal),
    };
  });
  return rows.sort((one, other) => order.indexOf(one.metric) - order.indexOf(other.metric));
}

/** All results of a run, as written by `--json`. */
export interface Figures {
  seed: number;
  folds: number;
  questions: number;
  rows: readonly Row[];
  calibration: { seen: readonly Bin[]; heldOut: readonly Bin[] };
  answers: AnswerSummary;
  learnt: Learnt;
  seconds: number;
}

export function formatFigures({ rows, calibration, answers, learnt, ...run }: Figures): string {
  const empty = `${(answers.empty * 100).toFixed(0)} % of ${answers.answers} answers empty`;
  const lost = learnt.failed === 0 ? 'none failed' : `${learnt.failed} FAILED`;
  return [
    '',
    formatRows(rows),
    '',
    formatCalibration('confidence_score, tasks seen before (useful: has the winner)', calibration.seen),
    '',
    formatCalibration('confidence_score, tasks held out (useful: shows the winner’s tools)', calibration.heldOut),
    '',
    `  ${empty}, the others ${answers.medianLength} characters at the median, ${answers.longest} at most`,
    `  ${learnt.uploads} uploads: ${learnt.insights} insights, ${learnt.nothingToLearn} with nothing to learn, ${lost}`,
    `  seed ${run.seed}, ${run.folds} folds, at most ${run.questions} questions per metric and domain, ${run.seconds} s`,
  ].join('\n');
}

function formatRows(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap(({ baselines }) => Object.keys(baselines)))];
  const before = rows.some((row) => row.before !== undefined);
  const head = [
    'metric',
    'data',
    'n',
    ...names,
    'ceiling',
    ...(before ? ['before'] : []),
    'Whetstone',
    '±',
    'goal',
    'met',
  ];
  const lines = rows.map((row) => [
    metrics[row.metric],
    row.data,
    String(row.questions),
    ...names.map((name) => figure(row.baselines[name])),
    figure(row.ceiling),
    ...(before ? [figure(row.before)] : []),
    // One more digit, which shows whether a goal is met.
    figure(row.whetstone, 3),
    figure(row.margin),
    row.goal,
    row.met ? 'yes' : 'NO',
  ]);
  return columns([head, ...lines], 2);
}

function formatCalibration(title: string, bins: readonly Bin[]): string {
  if (bins.length === 0) return `  ${title}: no answers that the labels can judge`;
  const lines = bins.map(({ from, to, answers, meanConfidence, useful }) => [
    `${from.toFixed(1)}–${to.toFixed(1)}`,
    String(answers),
    figure(meanConfidence),
    figure(useful),
  ]);
  const table = columns([['confidence', 'answers', 'mean', 'useful'], ...lines], 1);
  return `  ${title}\n${table}\n  off by ${figure(calibrationError(bins))} on average`;
}

function figure(value: number | undefined, digits = 2): string {
  return value === undefined ? '–' : value.toFixed(digits).replace(/^0\./, '.');
}

/** The first `left` columns are left-aligned text; the others are numbers. */
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
