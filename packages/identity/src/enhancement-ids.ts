import { hash } from 'node:crypto';

import type { EnhancementArm, Micros } from '@whetstone/contracts';

import { createRandomParts } from './id-parts.js';
import { equalMacs, type RootSecrets, rootIdBytes } from './root-secrets.js';

interface ShownInsight {
  /** Its name; its row id in tokens of an earlier version. */
  id: string;
  /** Short names of the actions it was shown with: at most four, of up to ten characters without blanks and commas. */
  deeds: string[];
}

export interface ShownInsights {
  shown: ShownInsight[];
  shownAt: Micros;
  /** Recommendations were withheld, to measure what they are worth. */
  holdout: boolean;
}

export interface OpenedEnhancement extends ShownInsights {
  /** Identifies the token without revealing its content. */
  digest: string;
}

export interface EnhancementIds {
  issue(collectionId: string, shown: ShownInsights): string;
  /** `undefined` for a token that was issued elsewhere, altered, or belongs to another collection. */
  open(collectionId: string, token: string): OpenedEnhancement | undefined;
}

const prefix = 'enh_';
const macBytes = 16;
const uniqueBytes = 8;
/** Far longer than any token issued here. */
const longestToken = 32_768;
const mostShown = 32;
const mostDeeds = 4;
const deedName = /^[^\s,]{1,10}$/;
/** Starts the actions of the preceding insight. No name or row id starts with it, so older versions ignore them. */
const deedsMark = '#';

/**
 * A signed token that lists the insights shown, so that an outcome can be counted without a record of the request. Every token
 * is unique, so that two answers are two votes.
 */
export function createEnhancementIds(roots: RootSecrets): EnhancementIds {
  const unique = createRandomParts(uniqueBytes);
  return {
    issue(collectionId, shown) {
      const content = Buffer.from(JSON.stringify([shown.shownAt, shown.holdout ? 1 : 0, ...written(shown.shown)]));
      const body = Buffer.concat([unique(), content]);
      const mac = roots.current.mac('enhancement-token', collectionId, body).subarray(0, macBytes);
      return prefix + Buffer.concat([roots.current.id, mac, body]).toString('base64url');
    },
    open(collectionId, token) {
      if (!token.startsWith(prefix) || token.length > longestToken) return undefined;
      const text = token.slice(prefix.length);
      const bytes = Buffer.from(text, 'base64url');
      // Accept only the canonical encoding, so that one token cannot count twice.
      if (bytes.toString('base64url') !== text) return undefined;
      const root = roots.byId(bytes.subarray(0, rootIdBytes));
      const body = bytes.subarray(rootIdBytes + macBytes);
      if (!root) return undefined;
      const mac = root.mac('enhancement-token', collectionId, body).subarray(0, macBytes);
      if (!equalMacs(bytes.subarray(rootIdBytes, rootIdBytes + macBytes), mac)) return undefined;
      const content = body.subarray(uniqueBytes).toString('utf8');
      const [shownAt, holdout, ...texts] = JSON.parse(content) as [Micros, number, ...string[]];
      return { shown: read(texts), shownAt, holdout: holdout === 1, digest: hash('sha256', token, 'base64url') };
    },
  };
}

/** What became of the question. */
export function armOf({ holdout, shown }: ShownInsights): EnhancementArm {
  if (holdout) return 'holdout';
  return shown.length > 0 ? 'recommended' : 'nothing_to_say';
}

function written(shown: readonly ShownInsight[]): string[] {
  return shown.slice(0, mostShown).flatMap(({ id, deeds }) => {
    const names = deeds.filter((deed) => deedName.test(deed)).slice(0, mostDeeds);
    return names.length === 0 ? [id] : [id, deedsMark + names.join()];
  });
}

/** Tokens of an earlier version hold only ids. */
function read(texts: readonly string[]): ShownInsight[] {
  const shown: ShownInsight[] = [];
  for (const text of texts) {
    if (text.startsWith(deedsMark)) shown.at(-1)?.deeds.push(...text.slice(deedsMark.length).split(','));
    else shown.push({ id: text, deeds: [] });
  }
  return shown;
}
