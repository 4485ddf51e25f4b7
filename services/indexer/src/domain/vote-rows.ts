import type { Origin, ReplaceRequest } from '@whetstone/contracts';

import type { Row } from './ports.js';
import { insightNameOfId } from './row-id.js';

export interface CastVote {
  /** The insight, as `insightNameOf` calls it. */
  about: string;
  tokenDigest: string;
  helped: boolean;
}

/** What the body of a vote's row says. */
export interface VoteBody {
  vote: CastVote;
  origin: Origin;
}

/**
 * What the outcome of a run says of each insight that it was shown. Only a caller's word is a vote: what the analyser judged
 * from the turns would let it praise its own lessons.
 */
export function votesCastBy({ collectionId, run, cited }: ReplaceRequest): CastVote[] {
  if (cited?.arm !== 'recommended' || run.judged || run.outcome === 'unknown') return [];
  const { tokenDigest, insightIds } = cited;
  const helped = run.outcome === 'success';
  const shown = new Set(insightIds.flatMap((id) => insightNameOfId(collectionId, id) ?? []));
  return [...shown].map((about) => ({ about, tokenDigest, helped }));
}

/** What a row votes; undefined where it is no vote, or says nothing that one could count. */
export function voteOf({ type, body }: Pick<Row, 'type' | 'body'>): CastVote | undefined {
  if (type !== 'vote') return undefined;
  const { vote } = parsed(body);
  const isVote =
    /^[^/\s]{1,256}\/\d{1,9}$/.test(String(vote?.about)) &&
    /^[\w-]{1,64}$/.test(String(vote?.tokenDigest)) &&
    typeof vote?.helped === 'boolean';
  return isVote ? vote : undefined;
}

/** A vote has no text and is found by none: its vector, which a store must have, is the same for all. */
export function directionOfVotes(dimension: number): Float32Array {
  const vector = new Float32Array(dimension);
  vector[0] = 1;
  return vector;
}

function parsed(body: string): Partial<VoteBody> {
  try {
    return (JSON.parse(body) ?? {}) as Partial<VoteBody>;
  } catch {
    return {};
  }
}
