export interface Figure {
  name: string;
  /** A measurement and its baseline, in the same unit. */
  value: number;
  baseline?: number;
  /** Overrides the quotient of value and baseline. */
  ratio?: number;
  unit: string;
  goal?: string;
}

export function median(values: number[]): number {
  return percentile(values, 0.5);
}

/** @param share such as 0.99 */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

/** One line per figure. Compare the ratios, since machines differ. */
export function printFigures(figures: Figure[]): void {
  const width = Math.max(...figures.map(({ name }) => name.length));
  for (const { name, value, baseline, unit, goal, ...given } of figures) {
    const ratio = baseline === undefined ? '' : `${(given.ratio ?? value / baseline).toFixed(2)}×`;
    const measured = `${round(value)} ${unit}${baseline === undefined ? '' : ` (baseline ${round(baseline)})`}`;
    console.log(
      `  ${name.padEnd(width)}  ${ratio.padStart(7)}  ${measured}${goal === undefined ? '' : `  goal ${goal}`}`,
    );
  }
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
