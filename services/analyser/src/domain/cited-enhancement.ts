import type { CitedEnhancement, EnhancementArm } from '@whetstone/contracts';
import type { EnhancementIds, OpenedEnhancement } from '@whetstone/identity';

import type { UploadOutline } from './ports.js';

/**
 * The answer that the upload says it was made with. What was not issued for this very collection is nothing: the upload is
 * worked on as if it cited none.
 */
export function citedEnhancement(
  { collectionId, interaction }: UploadOutline,
  enhancementIds: Pick<EnhancementIds, 'open'>,
): CitedEnhancement | undefined {
  const token = interaction.metadata?.['enhancement_id'];
  const opened = typeof token === 'string' ? enhancementIds.open(collectionId, token) : undefined;
  return opened && { tokenDigest: opened.digest, arm: armOf(opened), insightIds: opened.insightIds };
}

function armOf({ holdout, insightIds }: OpenedEnhancement): EnhancementArm {
  if (holdout) return 'holdout';
  return insightIds.length > 0 ? 'recommended' : 'nothing_to_say';
}
