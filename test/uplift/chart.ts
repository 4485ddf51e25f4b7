import type { Curve } from './report.js';

const [width, height] = [760, 380];
const margin = { left: 52, right: 150, top: 44, bottom: 46 };
const window = 100;
const least = 20;

/** Readable on light and dark backgrounds. */
const style = `text{font:13px system-ui,sans-serif;fill:#57606a}.title{font-size:15px;font-weight:600}.grid{stroke:#8c959f;stroke-opacity:.3}
.line{fill:none;stroke-width:2.5}.without{stroke:#8c959f}.with{stroke:#2f81f7}.retrieval{stroke:#d18616;stroke-dasharray:6 4}
@media(prefers-color-scheme:dark){text{fill:#adbac7}}`;

/** The learning curve: tasks solved out of the last hundred, with advice from the agent's own runs and without. */
export function drawCurves(curves: readonly Curve[]): string {
  const count = Math.max(1, ...curves.map(({ runs }) => runs.length));
  const x = (task: number) => margin.left + ((width - margin.left - margin.right) * task) / count;
  const y = (part: number) => height - margin.bottom - (height - margin.top - margin.bottom) * part;
  const [first] = curves;
  const lines = [
    ...(first === undefined
      ? []
      : [{ name: 'without', label: 'without', values: first.runs.map((run) => run.without) }]),
    ...curves.map(({ arm, runs }) => ({
      name: arm.replace('-curve', ''),
      label: arm === 'with-curve' ? 'with Whetstone' : 'plain retrieval',
      values: runs.map((run) => run.solved),
    })),
  ].map(({ name, label, values }) => ({ name, label, points: pointsOf(values) }));
  const labels = spread(lines.map(({ points }) => y(points.at(-1)?.part ?? 0)));
  const drawn = lines.map(({ name, label, points }, index) => {
    const path = points.map(({ task, part }) => `${x(task).toFixed(1)},${y(part).toFixed(1)}`).join(' ');
    const last = points.at(-1);
    const end = last === undefined ? '' : ` ${Math.round(100 * last.part)} %`;
    return `<polyline class="line ${name}" points="${path}"/>
<text x="${width - margin.right + 8}" y="${((labels[index] as number) + 4).toFixed(1)}">${label}${end}</text>`;
  });
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (part) => `<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y(part)}" y2="${y(part)}"/>
<text x="${margin.left - 8}" y="${y(part) + 4}" text-anchor="end">${100 * part} %</text>`,
  );
  const ticks = Array.from({ length: Math.floor(count / window) + 1 }, (_, index) => index * window).map(
    (task) => `<text x="${x(task).toFixed(1)}" y="${height - margin.bottom + 20}" text-anchor="middle">${task}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Tasks solved of the last ${window}, with and without advice">
<style>${style}</style>
<text class="title" x="${margin.left}" y="24">Solved on the first try, of the last ${window} tasks</text>
${[...grid, ...ticks, ...drawn].join('\n')}
<text x="${(margin.left + width - margin.right) / 2}" y="${height - 8}" text-anchor="middle">tasks that the agent has worked on</text>
</svg>
`;
}

/** A point after every tenth task. */
function pointsOf(values: readonly boolean[]): { task: number; part: number }[] {
  const ends = [...values.keys()].map((index) => index + 1);
  return ends
    .filter((task) => (task % 10 === 0 && task >= least) || task === values.length)
    .map((task) => {
      const last = values.slice(Math.max(0, task - window), task);
      return { task, part: last.filter(Boolean).length / last.length };
    });
}

/** Label positions, moved apart where they would overlap. */
function spread(heights: readonly number[]): number[] {
  const placed = [...heights];
  let above = Number.NEGATIVE_INFINITY;
  for (const index of [...heights.keys()].sort((a, b) => (heights[a] as number) - (heights[b] as number))) {
    placed[index] = Math.max(heights[index] as number, above + 18);
    above = placed[index] as number;
  }
  return placed;
}
