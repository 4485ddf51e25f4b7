import { graph, stat } from './definition.js';
import { quantile } from './queries.js';
import { renderDashboard } from './render-dashboard.js';

interface Rendered {
  panels: { id: number; type: string; gridPos: { x: number; y: number; w: number; h: number } }[];
}

const described = { description: 'What it shows.', unit: 's', queries: { all: 'up' } };

describe('a rendered dashboard', () => {
  it('places panels from left to right, on the next line where there is no room, and rows below', () => {
    const text = renderDashboard({
      name: 'a',
      title: 'A',
      question: 'Why?',
      rows: [
        {
          title: 'First',
          panels: [stat({ title: '1', ...described }), graph({ title: '2', ...described, width: 20 })],
        },
        { title: 'Second', panels: [graph({ title: '3', ...described })] },
      ],
    });

    const { panels } = JSON.parse(text) as Rendered;
    expect(panels.map(({ id, type, gridPos: { x, y, w, h } }) => [id, type, x, y, w, h])).toEqual([
      [1, 'row', 0, 0, 24, 1],
      [2, 'stat', 0, 1, 6, 4],
      [3, 'timeseries', 0, 5, 20, 8],
      [4, 'row', 0, 13, 24, 1],
      [5, 'timeseries', 0, 14, 12, 8],
    ]);
  });
});

describe('a quantile', () => {
  it('asks for what the reader has chosen, by the labels that are told apart', () => {
    expect(quantile(0.95, 'a_seconds', { by: 'b', where: 'c="d"' })).toBe(
      'histogram_quantile(0.95, sum by (le, b) (rate(a_seconds_bucket{c="d", namespace=~"$namespace", job=~"$job"}[$__rate_interval])))',
    );
  });
});
