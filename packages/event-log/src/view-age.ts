import { Gauge, type Registry } from '@whetstone/platform';

const name = 'whetstone_view_age_seconds';

/** One gauge for all views of a process, each under its own label: whichever view comes first creates it. */
export function observeViewAge(registry: Registry, view: string, ageSeconds: () => number): void {
  const existing = registry.getSingleMetric(name);
  const gauge = existing ? (existing as ViewAgeGauge) : new ViewAgeGauge(registry);
  gauge.views.set(view, ageSeconds);
}

class ViewAgeGauge extends Gauge<'view'> {
  readonly views = new Map<string, () => number>();

  constructor(registry: Registry) {
    super({
      name,
      help: 'Seconds since the view was last known to be at the end of its topic',
      labelNames: ['view'],
      registers: [registry],
      collect: () => {
        for (const [view, ageSeconds] of this.views) this.set({ view }, ageSeconds());
      },
    });
  }
}
