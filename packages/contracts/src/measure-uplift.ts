/** The answers of one arm with a reported outcome, and how many of them succeeded. */
export interface ArmOutcomes {
  told: number;
  succeeded: number;
}

interface Interval {
  low: number;
  high: number;
}

/** Difference of the success rates with and without recommendations, -1 to 1, with its 95 % interval. */
export interface Uplift extends Interval {
  difference: number;
}

/** 95 % quantile of the normal distribution, two-sided. */
const z = 1.959963984540054;

/** 95 % Wilson score interval: stays within 0 and 1, and is accurate for few outcomes, too. */
export function intervalOfShare({ told, succeeded }: ArmOutcomes): Interval {
  if (told === 0) return { low: 0, high: 1 };
  const share = succeeded / told;
  const scale = 1 + z ** 2 / told;
  const centre = (share + z ** 2 / (2 * told)) / scale;
  const reach = (z / scale) * Math.sqrt((share * (1 - share)) / told + z ** 2 / (4 * told ** 2));
  return { low: Math.max(0, centre - reach), high: Math.min(1, centre + reach) };
}

/**
 * Difference of the two rates with Newcombe's hybrid score interval, 95 %. `undefined` if an arm has no outcome.
 */
export function measureUplift(recommended: ArmOutcomes, holdout: ArmOutcomes): Uplift | undefined {
  if (recommended.told === 0 || holdout.told === 0) return undefined;
  const [p, q] = [recommended.succeeded / recommended.told, holdout.succeeded / holdout.told];
  const [ofP, ofQ] = [intervalOfShare(recommended), intervalOfShare(holdout)];
  const difference = p - q;
  return {
    difference,
    low: difference - Math.hypot(p - ofP.low, ofQ.high - q),
    high: difference + Math.hypot(ofP.high - p, q - ofQ.low),
  };
}
