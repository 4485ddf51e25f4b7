import { type ArmOutcomes, measureUplift, type UpliftAnswer } from '@whetstone/contracts';
import type { CallContext } from '@whetstone/platform';
import type { LessonKeeper } from './ports.js';
import type { Caller, ResolveCollection } from './resolve-collection.js';

interface MeasureUpliftDeps {
  indexer: Pick<LessonKeeper, 'getOutcomes'>;
  resolveCollection: ResolveCollection;
}

/** How much more often runs succeed with recommendations, in a collection. */
export type MeasureUplift = (caller: Caller, tenantId: string, call: CallContext) => Promise<UpliftAnswer>;

export function createMeasureUplift({ indexer, resolveCollection }: MeasureUpliftDeps): MeasureUplift {
  return async (caller, tenantId, call) => {
    const { recommended, holdout } = await indexer.getOutcomes(
      { collectionId: resolveCollection(caller, tenantId) },
      call,
    );
    const uplift = measureUplift(recommended, holdout);
    return {
      with: armOf(recommended),
      without: armOf(holdout),
      difference: uplift?.difference ?? null,
      interval: uplift ? [uplift.low, uplift.high] : null,
    };
  };
}

function armOf({ told, succeeded }: ArmOutcomes): UpliftAnswer['with'] {
  return { runs: told, successes: succeeded, rate: told === 0 ? null : succeeded / told };
}
