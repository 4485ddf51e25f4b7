import type { InsightKind } from './insight.js';

export interface EnhanceRequest {
  collectionId: string;
  inputText: string;
  context: Record<string, string>;
  agentType?: string;
}

export interface Recommendation {
  id: string;
  kind: InsightKind;
  title: string;
  /** As it stands in the response, example included. */
  text: string;
  similarity: number;
  /** Distinct runs that agree. */
  support: number;
  sourceJobIds: string[];
}

export interface EnhanceResult {
  /** The input, whole and first, then the recommendations; the input alone when there is nothing to say. */
  response: string;
  confidenceScore: number;
  enhancementId: string;
  recommendations: Recommendation[];
  /** The input was handed back unchanged, though there was something to say, to measure what saying it is worth. */
  holdout: boolean;
}
