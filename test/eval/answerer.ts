import type { Interaction } from './interaction.js';

export interface Question {
  text: string;
  agentType: string | null;
}

export interface Recommendation {
  /** As the agent reads it. */
  text: string;
  /** The action that it shows, if it shows one. */
  example?: string;
  /** The attempts that it was made from. */
  sources: readonly Interaction[];
}

export interface Answer {
  /** Best first; empty: nothing to say. */
  recommendations: readonly Recommendation[];
  /** All that the agent would read besides its task. */
  added: string;
  /** How sure the answerer is that the answer is useful, 0 to 1, if it says so. */
  confidence?: number;
}

/**
 * Whoever learns from attempts and is asked about tasks: the service, the baselines it is held against and the broken ones that must
 * fail. A collection holds what it was given and nothing else; it is filled once, before the first question.
 */
export interface Answerer {
  name: string;
  /** Whether the collection is filled. */
  knows(collection: string): boolean;
  learn(collection: string, interactions: readonly Interaction[]): Promise<void>;
  ask(collection: string, question: Question): Promise<Answer>;
}
