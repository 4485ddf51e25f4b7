import type { Asked, Metric } from './measure.js';

export interface Bin {
  from: number;
  to: number;
  answers: number;
  meanConfidence: number;
  useful: number;
}

/** For a seen task an answer is useful if it shows the winner; for a new one, if it shows the winner's tools. */
export const judgedBy = { seen: ['rescue', 'paraphrased'], heldOut: ['tools'] } as const;

/** Stated confidence against the share of useful answers. */
export function calibrationOf(asked: readonly Asked[], judged: readonly Metric[], width = 0.1): Bin[] {
  const told = asked.filter(({ metric, answer }) => judged.includes(metric) && answer.recommendations.length > 0);
  const count = Math.round(1 / width);
  return Array.from({ length: count }, (_, index) => {
    const inside = told.filter(
      ({ answer }) => Math.min(count - 1, Math.floor((answer.confidence ?? 0) * count)) === index,
    );
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
    return {
      from: index * width,
      to: (index + 1) * width,
      answers: inside.length,
      meanConfidence: mean(inside.map(({ answer }) => answer.confidence ?? 0)),
      useful: mean(inside.map(({ score }) => score)),
    };
  }).filter(({ answers }) => answers > 0);
}

/** Expected calibration error over all answers. */
export function calibrationError(bins: readonly Bin[]): number {
  const answers = bins.reduce((sum, bin) => sum + bin.answers, 0);
  const off = bins.reduce((sum, bin) => sum + bin.answers * Math.abs(bin.meanConfidence - bin.useful), 0);
  return answers === 0 ? 0 : off / answers;
}
