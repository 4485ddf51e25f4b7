/** A dashboard as people write it; `renderDashboard` adds what Grafana wants besides. */
export interface DashboardDefinition {
  /** Of its file, and of the address that it has in Grafana. */
  name: string;
  title: string;
  /** What somebody at night wants to know from it. */
  question: string;
  rows: readonly RowDefinition[];
}

/** Panels from left to right, and on the next line where there is no room. */
export interface RowDefinition {
  title: string;
  panels: readonly PanelDefinition[];
}

export interface PanelDefinition {
  kind: 'stat' | 'graph';
  title: string;
  description: string;
  /** As Grafana names it. */
  unit: string;
  /** PromQL by legend. */
  queries: Readonly<Record<string, string>>;
  /** Of 24. */
  width: number;
  /** The colour from each value on; the first from below everything. */
  thresholds?: readonly Threshold[];
  decimals?: number;
  stacked?: boolean;
  /** Where there is nothing to show. */
  none?: string;
  /** The axis: from 0 where it is not said, `null` for as it comes. */
  min?: number | null;
  max?: number;
}

export type Threshold = readonly [colour: 'green' | 'orange' | 'red' | 'blue', from: number | null];

type Described = Omit<PanelDefinition, 'kind' | 'width'> & { width?: number };

/** One number, or one a label. */
export function stat(panel: Described): PanelDefinition {
  return { kind: 'stat', width: 6, ...panel };
}

/** Lines over time. */
export function graph(panel: Described): PanelDefinition {
  return { kind: 'graph', width: 12, ...panel };
}

/** Good until the value, then red. */
export function redFrom(value: number): Threshold[] {
  return [
    ['green', null],
    ['red', value],
  ];
}
