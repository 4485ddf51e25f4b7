import type { Turn } from '../support/contract.js';

type TextTurn = Turn & { inputs: string; decision: string };

/** For scoring only; never sent. */
export interface Labels {
  /** Tasks of different domains have nothing to teach each other. */
  domain: string;
  /** Attempts with the same value are attempts at the same task. */
  task: string;
  /** Tasks of one family need the same kind of actions. */
  family?: string;
  /** The action that made this attempt succeed. */
  winner?: string;
}

/** One labelled attempt at a task: the labels for scoring, and the upload as sent, without `tenant_id`. */
export interface Interaction {
  labels: Labels;
  upload: {
    query: string;
    turns: TextTurn[];
    success: boolean | null;
    agent_type?: string | null;
    [field: string]: unknown;
  };
}

/** The labelled winner, or the last decision of a successful run. */
export function decisiveAction({ labels, upload }: Interaction): string | undefined {
  return labels.winner ?? [...upload.turns].sort((a, b) => a.turn - b.turn).at(-1)?.decision;
}

export function questionOf({ upload }: Interaction): { text: string; agentType: string | null } {
  return { text: upload.query, agentType: upload.agent_type ?? null };
}
