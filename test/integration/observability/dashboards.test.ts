import { type Dashboard, type Datasource, type Panel, readDashboards } from '../../support/observability/dashboards.js';
import { namesInPromql } from '../../support/observability/names-in-promql.js';

const ofVariable: Datasource = { type: 'prometheus', uid: '$' + '{datasource}' };
const gridWidth = 24;

let dashboards: Dashboard[];
let panels: { dashboard: string; panel: Panel }[];

beforeAll(async () => {
  dashboards = await readDashboards();
  panels = dashboards.flatMap(({ name, panels: own }) => own.map((panel) => ({ dashboard: name, panel })));
});

const graphs = () => panels.filter(({ panel }) => panel.type !== 'row');

describe('the dashboards', () => {
  it('are known by a name that stays, and answer a question', () => {
    expect(dashboards.map(({ name }) => name)).toEqual([
      'dependencies',
      'jobs-and-kafka',
      'learning',
      'overview',
      'resources',
    ]);
    for (const { name, uid, title, description, schemaVersion, tags } of dashboards) {
      expect(uid).toBe(`whetstone-${name}`);
      expect(title).toMatch(/^Whetstone \/ /);
      expect(description).toContain('?');
      expect(schemaVersion).toBeGreaterThanOrEqual(39);
      expect(tags).toEqual(['whetstone']);
    }
  });

  it('let their reader choose data source, namespace and job, and ask for nothing else', () => {
    for (const { templating } of dashboards) {
      expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'namespace', 'job']);
      expect(templating.list.slice(1).map(({ datasource }) => datasource)).toEqual([ofVariable, ofVariable]);
      expect(templating).toEqual(dashboards[0]?.templating);
    }
    for (const { panel } of graphs()) {
      for (const { expr } of panel.targets ?? []) {
        const variables = expr.match(/\$\{?\w+/g) ?? [];
        expect(variables.filter((name) => !/^\$(namespace|job|__rate_interval|__range)$/.test(name))).toEqual([]);
      }
    }
  });

  it('have panels with a title of their own, a description, a unit, thresholds and the data source that was chosen', () => {
    for (const { dashboard, panel } of graphs()) {
      const { title, description, datasource, fieldConfig, targets = [] } = panel;
      const place = `${dashboard}: ${title}`;
      expect([place, datasource, ...targets.map((target) => target.datasource)]).toEqual([
        place,
        ofVariable,
        ...targets.map(() => ofVariable),
      ]);
      expect([place, description]).toEqual([place, expect.stringMatching(/^.{20,}\.$/)]);
      expect([place, fieldConfig?.defaults.unit]).toEqual([place, expect.any(String)]);
      expect(fieldConfig?.defaults.thresholds?.steps.length).toBeGreaterThan(0);
      expect(targets.length).toBeGreaterThan(0);
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    }
    for (const { panels: own } of dashboards) {
      expect(new Set(own.map(({ id }) => id)).size).toBe(own.length);
    }
  });

  it('have panels that stand beside each other', () => {
    for (const { name, panels: own } of dashboards) {
      const taken = new Map<string, string>();
      for (const { title, gridPos } of own) {
        expect([title, gridPos.x + gridPos.w <= gridWidth]).toEqual([title, true]);
        for (const cell of cellsOf(gridPos)) {
          expect([name, title, taken.get(cell)]).toEqual([name, title, undefined]);
          taken.set(cell, title);
        }
      }
    }
  });

  it('ask every metric for the chosen namespace and job', () => {
    for (const { dashboard, panel } of graphs()) {
      for (const { expr } of panel.targets ?? []) {
        for (const { metric, labels } of namesInPromql(expr).selectors) {
          expect([dashboard, metric, labels]).toEqual([
            dashboard,
            metric,
            expect.arrayContaining(['namespace', 'job']),
          ]);
        }
      }
    }
  });

  it('name in legends only labels that their queries keep', () => {
    for (const { dashboard, panel } of graphs()) {
      for (const { expr, legendFormat = '' } of panel.targets ?? []) {
        const { grouping } = namesInPromql(expr);
        const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label as string);
        const aggregated = /\b(sum|avg|min|max|count) ?(by )?\(/.test(expr);
        const kept = aggregated ? grouping : [...grouping, 'pod', 'component'];
        expect([dashboard, panel.title, named.filter((label) => !kept.includes(label))]).toEqual([
          dashboard,
          panel.title,
          [],
        ]);
      }
    }
  });
});

function cellsOf({ x, y, w, h }: Panel['gridPos']): string[] {
  return Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`);
}
