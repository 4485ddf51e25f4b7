/** Of one arm: how many answers have an outcome that was told, and how many of these ended well. */
export interface ArmOutcomes {
  told: number;
  succeeded: number;
}

export interface Interval {
  low: number;
  high: number;
}

/** How much more often runs succeed with recommendations than without: a difference of two shares, -1 to 1. */
export interface Uplift extends Interval {
  difference: number;
}

/** Of the normal distribution: 95 % lie within. */
const z = 1.959963984540054;

/** Wilson's score interval of a share, 95 %: it stays within 0 and 1, and is honest also for few outcomes. */
export function intervalOfShare({ told, succeeded }: ArmOutcomes): Interval {
  if (told === 0) return { low: 0, high: 1 };
  const share = succeeded / told;
  const scale = 1 + z ** 2 / told;
  const centre = (share + z ** 2 / (2 * told)) / scale;
  const reach = (z / scale) * Math.sqrt((share * (1 - share)) / told + z ** 2 / (4 * told ** 2));
  return { low: Math.max(0, centre - reach), high: Math.min(1, centre + reach) };
}

/**
 * The difference of the two shares with Newcombe's hybrid score interval, 95 %. Undefined where an arm has no outcome: then
 * there is nothing to compare.
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
