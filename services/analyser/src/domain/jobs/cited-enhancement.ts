import type { CitedEnhancement } from '@whetstone/contracts';
import { armOf, type EnhancementIds, type OpenedEnhancement } from '@whetstone/identity';

import type { UploadOutline } from '../ports.js';

/** An answer as its token tells it: what was shown, and what doing each of it is called. */
export type ShownEnhancement = Omit<CitedEnhancement, 'insightIds'> & Pick<OpenedEnhancement, 'shown'>;

/**
 * The answer that the upload cites. A token that was not issued for this collection is ignored: the upload is
 * processed as if it cited none.
 */
export function citedEnhancement(
  { collectionId, interaction }: UploadOutline,
  enhancementIds: Pick<EnhancementIds, 'open'>,
): ShownEnhancement | undefined {
  const token = interaction.metadata?.['enhancement_id'];
  const opened = typeof token === 'string' ? enhancementIds.open(collectionId, token) : undefined;
  return opened && { tokenDigest: opened.digest, arm: armOf(opened), shown: opened.shown };
}

/** The outcome counts for the advice that the run followed, or for all of it if that is unknown. */
export function followedIn({ shown, ...cited }: ShownEnhancement, deeds: readonly string[]): CitedEnhancement {
  const done = new Set(deeds);
  const followed = shown.filter((lesson) => lesson.deeds.some((deed) => done.has(deed)));
  return { ...cited, insightIds: (followed.length > 0 ? followed : shown).map(({ id }) => id) };
}
