import type { Interaction } from './interaction.js';

export interface Question {
  text: string;
  agentType: string | null;
}

export interface Recommendation {
  /** The text as shown to the agent. */
  text: string;
  /** The action it shows, if any. */
  example?: string;
  /** The attempts it comes from. */
  sources: readonly Interaction[];
}

export interface Answer {
  /** Best first; empty if there is nothing to say. */
  recommendations: readonly Recommendation[];
  /** Everything the agent reads besides its task. */
  added: string;
  /** Confidence that the answer is useful, 0 to 1, if given. */
  confidence?: number;
}

/**
 * Whoever learns from attempts and is asked about tasks: the service, the baselines it is held against and the broken ones that must
 * fail. A collection holds what it was given and nothing else; it is filled once, before the first question.
 */
export interface Answerer {
  name: string;
  /** True once the collection is filled. */
  knows(collection: string): boolean;
  learn(collection: string, interactions: readonly Interaction[]): Promise<void>;
  ask(collection: string, question: Question): Promise<Answer>;
}
