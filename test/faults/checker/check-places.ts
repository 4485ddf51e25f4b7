import { markersIn } from '../clients/markers.js';
import type { Evidence } from '../evidence.js';
import { type Problem, problem } from './verdict.js';

/** What was uploaded to one place is in one collection, and nothing of another place is in it. */
export function checkPlaces({ rows }: Evidence): Problem[] {
  const pairs = rows.flatMap(({ collectionId, text }) => markersIn(text).map(({ tag }) => ({ collectionId, tag })));
  return [
    ...severalOf(pairs, 'collectionId', 'tag').map((id) =>
      problem('leaked', `collection ${id} holds what belongs to others`),
    ),
    ...severalOf(pairs, 'tag', 'collectionId').map((tag) =>
      problem('leaked', `what belongs to ${tag} is in several collections`),
    ),
  ];
}

type Pair = { collectionId: string; tag: string };

/** Those of the first that come with more than one of the second. */
function severalOf(pairs: readonly Pair[], first: keyof Pair, second: keyof Pair): string[] {
  const partners = new Map<string, Set<string>>();
  for (const pair of pairs) partners.set(pair[first], (partners.get(pair[first]) ?? new Set()).add(pair[second]));
  return [...partners].filter(([, of]) => of.size > 1).map(([name]) => name);
}
