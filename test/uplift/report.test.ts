import type { Result } from './arms.js';
import { drawCurves } from './chart.js';
import { curvesOf, formatArms, formatChanges, formatCurves } from './report.js';

function result(arm: string, task: string, solved: boolean, world = 'sql', round = 1): Result {
  return { arm, world, task, round, prompt: task, turns: [], solved, solvedInTheEnd: solved };
}

const arms = [
  ...['a', 'b', 'c'].map((task) => result('without', task, task === 'a')),
  ...['a', 'b', 'c'].map((task) => result('with-seen', task, task !== 'a')),
];

describe('the report', () => {
  it('counts what is solved, gained and lost against the agent without advice', () => {
    expect(formatArms(arms)).toBe(
      [
        '| arm       | sql            | all            |',
        '|-----------|----------------|----------------|',
        '| without   | 1 of 3         | 1 of 3         |',
        '| with-seen | 2 of 3 (+2 −1) | 2 of 3 (+2 −1) |',
      ].join('\n'),
    );
    expect(formatChanges(arms)).toBe('with-seen gained: sql/b, sql/c\nwith-seen lost: sql/a');
  });

  const worlds = ['sql', 'desk'];
  const curve = worlds.flatMap((world) => [
    ...Array.from({ length: 60 }, (_, index) => result('without', `t${index}`, index % 2 === 0, world)),
    ...[1, 2].flatMap((round) =>
      Array.from({ length: 60 }, (_, index) => result('with-curve', `t${index}`, round === 2, world, round)),
    ),
  ]);

  it('tells success per hundred tasks, with the worlds in turn', () => {
    const curves = curvesOf(curve);
    expect(curves).toHaveLength(1);
    expect(curves[0]?.runs).toHaveLength(240);
    expect(formatCurves(curves).split('\n').slice(2)).toEqual([
      '| 1–100   | 50 %    | 0 %        |',
      '| 101–200 | 50 %    | 80 %       |',
      '| 201–240 | 50 %    | 100 %      |',
    ]);
  });

  it('draws the curves with their names and last values, inside of the picture, for light and dark', () => {
    const svg = drawCurves(curvesOf(curve));
    expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 760 380"/);
    expect(svg).toContain('with Whetstone 100 %');
    expect(svg).toContain('without 50 %');
    expect(svg).toContain('prefers-color-scheme:dark');
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    const points = [...svg.matchAll(/points="([^"]+)"/g)].flatMap(([, path]) => path?.split(' ') ?? []);
    expect(points.length).toBeGreaterThan(30);
    for (const point of points) {
      const [x, y] = point.split(',').map(Number) as [number, number];
      expect(x >= 0 && x <= 760 && y >= 0 && y <= 380).toBe(true);
    }
  });

  it('has something to draw also of few runs', () => {
    expect(drawCurves([])).not.toMatch(/NaN|undefined|Infinity/);
    expect(drawCurves([{ arm: 'with-curve', runs: [{ solved: true, without: false }] }])).toContain(
      'with Whetstone 100 %',
    );
  });
});
