import { type SearchHit, shortDigest, type Tally } from '@whetstone/contracts';

/** One hit for all of these, which have one name. It lists at most `listed` runs. */
export function consolidated(hits: readonly SearchHit[], listed = 256): SearchHit {
  const [latest, ...earlier] = [...hits].sort((a, b) => b.origin.acceptedAt - a.origin.acceptedAt);
  if (!latest) throw new Error('Nothing to consolidate');
  const votes = hits.find((hit) => hit.votes)?.votes;
  return {
    ...latest,
    id: `c/${latest.name}/1/1`,
    tally: tallyOf([...earlier.reverse(), latest], listed),
    ...(votes && { votes }),
  };
}

/** Of hits in the order in which they were accepted. */
function tallyOf(hits: readonly SearchHit[], listed: number): Tally {
  const origins = hits.map(({ origin }) => origin);
  const digests = [...new Set(origins.map(({ bodyDigest }) => bodyDigest))];
  const trusted = new Set(origins.filter(({ trust }) => trust !== 'low').map(({ bodyDigest }) => bodyDigest));
  const keys = new Map(origins.map(({ keyId, trust }) => [keyId, { keyId, ...(trust && { trust }) }]));
  const times = origins.map(({ acceptedAt }) => acceptedAt);
  return {
    runs: digests.length,
    lowTrustRuns: digests.length - trusted.size,
    digests: digests.slice(-listed).map(shortDigest).join(''),
    keys: [...keys.values()],
    jobIds: origins.map(({ jobId }) => jobId),
    firstSeen: Math.min(...times),
    lastSeen: Math.max(...times),
  };
}
