import type { DashboardDefinition, PanelDefinition, Threshold } from './definition.js';

const gridWidth = 24;
const rowHeight = 1;
const heights = { stat: 4, graph: 8 };
const datasource = { type: 'prometheus', uid: `\${datasource}` };

/** The JSON that Grafana reads, the same for the same definition. */
export function renderDashboard({ name, title, question, rows }: DashboardDefinition): string {
  const dashboard = {
    uid: `whetstone-${name}`,
    title: `Whetstone / ${title}`,
    description: question,
    tags: ['whetstone'],
    schemaVersion: 41,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    annotations: { list: [] },
    links: [linkToOthers],
    templating: { list: variables },
    panels: placed(rows),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

function placed(rows: DashboardDefinition['rows']): object[] {
  const panels: object[] = [];
  const nextId = () => panels.length + 1;
  let y = 0;
  for (const { title, panels: ofRow } of rows) {
    const gridPos = { h: rowHeight, w: gridWidth, x: 0, y };
    panels.push({ id: nextId(), type: 'row', title, collapsed: false, gridPos, panels: [] });
    y += rowHeight;
    let x = 0;
    let height = 0;
    for (const panel of ofRow) {
      if (x + panel.width > gridWidth) {
        y += height;
        x = 0;
        height = 0;
      }
      const h = heights[panel.kind];
      panels.push({ id: nextId(), gridPos: { h, w: panel.width, x, y }, ...grafanaPanel(panel) });
      x += panel.width;
      height = Math.max(height, h);
    }
    y += height;
  }
  return panels;
}

function grafanaPanel(panel: PanelDefinition): object {
  const { kind, title, description, queries } = panel;
  const targets = Object.entries(queries).map(([legendFormat, expr], index) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    datasource,
    expr,
    legendFormat,
  }));
  const looks = kind === 'stat' ? statLooks(panel) : graphLooks(panel);
  const type = kind === 'stat' ? 'stat' : 'timeseries';
  return { type, title, description, datasource, ...looks, targets };
}

function statLooks({ unit, decimals, none, thresholds }: PanelDefinition): object {
  return {
    fieldConfig: {
      defaults: { unit, color: { mode: 'thresholds' }, thresholds: steps(thresholds), decimals, noValue: none },
      overrides: [],
    },
    options: {
      colorMode: 'value',
      graphMode: 'area',
      justifyMode: 'auto',
      orientation: 'auto',
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
      textMode: 'auto',
    },
  };
}

function graphLooks({ unit, stacked = false, thresholds, min = 0, max }: PanelDefinition): object {
  const custom = {
    drawStyle: 'line',
    lineWidth: 1,
    fillOpacity: stacked ? 30 : 10,
    showPoints: 'never',
    spanNulls: false,
    stacking: { mode: stacked ? 'normal' : 'none' },
    thresholdsStyle: { mode: thresholds ? 'line' : 'off' },
  };
  const range = { min: min ?? undefined, max };
  return {
    fieldConfig: {
      defaults: { unit, color: { mode: 'palette-classic' }, custom, thresholds: steps(thresholds), ...range },
      overrides: [],
    },
    options: {
      legend: { calcs: ['lastNotNull', 'max'], displayMode: 'table', placement: 'bottom', showLegend: true },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
  };
}

function steps(thresholds: readonly Threshold[] = [['green', null]]): object {
  return { mode: 'absolute', steps: thresholds.map(([color, value]) => ({ color, value })) };
}

const linkToOthers = {
  title: 'Whetstone',
  type: 'dashboards',
  tags: ['whetstone'],
  asDropdown: true,
  includeVars: true,
  keepTime: true,
  targetBlank: false,
  icon: 'external link',
  tooltip: 'The other dashboards of Whetstone',
  url: '',
};

const variables = [
  {
    name: 'datasource',
    label: 'Data source',
    type: 'datasource',
    query: 'prometheus',
    refresh: 1,
    multi: false,
    includeAll: false,
    current: {},
    options: [],
    regex: '',
    hide: 0,
  },
  variable('namespace', 'Namespace', 'label_values(whetstone_ready, namespace)'),
  variable('job', 'Job', 'label_values(whetstone_ready{namespace=~"$namespace"}, job)'),
];

function variable(name: string, label: string, query: string): object {
  return {
    name,
    label,
    type: 'query',
    datasource,
    query: { query, refId: name },
    definition: query,
    refresh: 2,
    sort: 1,
    multi: true,
    includeAll: true,
    // Also what has no such label, outside of Kubernetes.
    allValue: '.*',
    current: { selected: true, text: ['All'], value: ['$__all'] },
    options: [],
    hide: 0,
  };
}
