import { useEffect, useRef, useState } from 'preact/hooks';
import type UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { onThemeChange } from './theme';

interface Series {
  label: string;
  /** A custom property of the style sheet. */
  color: string;
  values: number[];
}

interface ChartProps {
  /** What it shows, for those who do not see it. */
  label: string;
  /** In UTC, one for each value. */
  days: readonly string[];
  series: readonly Series[];
}

const height = 170;

type Plot = typeof UPlot;

/** `null` where the browser has a language that uPlot does not accept, such as that of the C locale. */
function loadPlot(): Promise<Plot | null> {
  return import('uplot').then(
    ({ default: plot }) => plot,
    () => null,
  );
}

export function Chart({ label, days, series }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [plot, setPlot] = useState<Plot | null>();

  useEffect(() => {
    void loadPlot().then((loaded) => setPlot(() => loaded));
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element || !plot) return;
    let chart = draw(plot, element);
    const redraw = () => {
      chart.destroy();
      chart = draw(plot, element);
    };
    const resized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    const ended = onThemeChange(redraw);
    return () => {
      ended();
      resized.disconnect();
      chart.destroy();
    };
  });

  function draw(Plot: Plot, element: HTMLElement): UPlot {
    const styles = getComputedStyle(element);
    const color = (name: string) => styles.getPropertyValue(name).trim();
    const axis = { stroke: color('--quiet'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false } };
    const options: UPlot.Options = {
      width: element.clientWidth,
      height,
      cursor: { show: false },
      legend: { show: false },
      tzDate: (seconds) => Plot.tzDate(new Date(seconds * 1000), 'UTC'),
      scales: { y: { range: (_chart, _low, high) => [0, Math.max(4, high * 1.1)] } },
      axes: [
        { ...axis, size: 28, values: (_chart, at) => at.map((seconds) => dayText.format(seconds * 1000)), space: 70 },
        { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 1e5, 1e6] },
      ],
      series: [
        {},
        ...series.map((one) => ({
          label: one.label,
          stroke: color(one.color),
          width: 1.5,
          points: { show: days.length < 40, size: 4, fill: color(one.color) },
        })),
      ],
    };
    const times = days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000);
    return new Plot(options, [times, ...series.map(({ values }) => values)], element);
  }

  return (
    <figure class="chart">
      <figcaption>
        {series.map((one) => (
          <span key={one.label} class={`key ${one.color.slice(2)}`}>
            {one.label}
          </span>
        ))}
      </figcaption>
      {plot === null ? <p>{label}</p> : <div ref={box} role="img" aria-label={label} />}
    </figure>
  );
}

const dayText = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
