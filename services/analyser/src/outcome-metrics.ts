import { type CitedEnhancement, type EnhancementArm, measureUplift, type Uplift } from '@whetstone/contracts';
import { Counter, Gauge, type Registry } from '@whetstone/platform';

export interface OutcomeMetrics {
  told(cited: Pick<CitedEnhancement, 'tokenDigest' | 'arm'>, success: boolean): void;
}

/** Of answers whose outcome was told; so many are remembered, that an answer counts once for the uplift. */
const rememberedAnswers = 100_000;

const gauges: Record<string, { help: string; of(uplift: Uplift): number }> = {
  whetstone_uplift_ratio: {
    help: 'Share of runs that succeed with recommendations, less that of runs held out, of what this process saw since it started',
    of: ({ difference }) => difference,
  },
  whetstone_uplift_ratio_low: { help: 'Lower end of the 95 % interval of the uplift', of: ({ low }) => low },
  whetstone_uplift_ratio_high: { help: 'Upper end of the 95 % interval of the uplift', of: ({ high }) => high },
};

/** What outcomes say of answers: counted as told, and compared one answer once. Nothing compared reads NaN. */
export function createOutcomeMetrics(registry: Registry): OutcomeMetrics {
  const registers = [registry];
  const outcomes = new Counter({
    name: 'whetstone_outcomes_total',
    help: 'Jobs that have completed and cite an answer of enhance_task, with the outcome that their caller told',
    labelNames: ['arm', 'success'],
    registers,
  });
  const counted = new Set<string>();
  const arms: Record<EnhancementArm, { told: number; succeeded: number }> = {
    recommended: { told: 0, succeeded: 0 },
    holdout: { told: 0, succeeded: 0 },
    nothing_to_say: { told: 0, succeeded: 0 },
  };
  for (const arm of Object.keys(arms)) {
    for (const success of ['true', 'false']) outcomes.inc({ arm, success }, 0);
  }
  for (const [name, { help, of }] of Object.entries(gauges)) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const uplift = measureUplift(arms.recommended, arms.holdout);
        this.set(uplift ? of(uplift) : Number.NaN);
      },
    });
  }

  return {
    told({ arm, tokenDigest }, success) {
      outcomes.inc({ arm, success: String(success) });
      if (counted.has(tokenDigest)) return;
      const [oldest] = counted;
      if (counted.size >= rememberedAnswers && oldest !== undefined) counted.delete(oldest);
      counted.add(tokenDigest);
      arms[arm].told++;
      if (success) arms[arm].succeeded++;
    },
  };
}
