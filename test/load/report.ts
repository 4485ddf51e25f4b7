export interface Figure {
  name: string;
  /** What was measured and what it is compared with, in the same unit. */
  value: number;
  baseline?: number;
  /** Of value and baseline, where a better one is known than their quotient. */
  ratio?: number;
  unit: string;
  goal?: string;
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** One line a figure; the ratio is what counts, since machines differ. */
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
