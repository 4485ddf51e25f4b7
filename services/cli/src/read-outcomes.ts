import type { ArmOutcomes, EnhancementArm, RunTrail } from '@whetstone/contracts';
import type { RunBody, VectorStore } from '@whetstone/indexer';

import { rowsOf } from './collections.js';

/** The outcomes of answers, as uploads report them. */
export interface ToldOutcomes {
  collections: number;
  /** Uploads that cite an answer. */
  uploads: number;
  /** Distinct answers that they cite. */
  answers: number;
  /** Of these, how many have no reported outcome. */
  untold: number;
  /** One answer counts once: the earliest upload with an outcome decides. */
  arms: Record<EnhancementArm, ArmOutcomes>;
}

interface Answer {
  arm: EnhancementArm;
  told?: { success: boolean; acceptedAt: number };
}

export async function readOutcomes(store: VectorStore, collectionIds: readonly string[]): Promise<ToldOutcomes> {
  const answers = new Map<string, Answer>();
  let uploads = 0;
  for (const collectionId of collectionIds) {
    for await (const row of rowsOf(store, collectionId)) {
      if (row.type !== 'run') continue;
      const { run, cited } = JSON.parse(row.body) as RunBody;
      if (!cited) continue;
      uploads++;
      const answer = answers.get(cited.tokenDigest) ?? { arm: cited.arm };
      answers.set(cited.tokenDigest, answer);
      const success = toldBy(run);
      if (success === undefined || (answer.told && answer.told.acceptedAt <= row.acceptedAt)) continue;
      answer.told = { success, acceptedAt: row.acceptedAt };
    }
  }
  return { collections: collectionIds.length, uploads, answers: answers.size, ...countedOf([...answers.values()]) };
}

function countedOf(answers: readonly Answer[]): Pick<ToldOutcomes, 'arms' | 'untold'> {
  const arms: ToldOutcomes['arms'] = {
    recommended: { told: 0, succeeded: 0 },
    holdout: { told: 0, succeeded: 0 },
    nothing_to_say: { told: 0, succeeded: 0 },
  };
  let untold = 0;
  for (const { arm, told } of answers) {
    if (!told) untold++;
    else {
      arms[arm].told++;
      arms[arm].succeeded += told.success ? 1 : 0;
    }
  }
  return { arms, untold };
}

/** Only what the caller reported, not what was judged. */
function toldBy({ outcome, judged }: RunTrail): boolean | undefined {
  return judged || outcome === 'unknown' ? undefined : outcome === 'success';
}
