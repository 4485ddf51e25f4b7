/** The ways in which a promise can be broken. */
export const kinds = [
  'lost',
  'doubled',
  'unended',
  'failed',
  'changed',
  'leaked',
  'undeleted',
  'odd',
  'silent',
] as const;
export type Kind = (typeof kinds)[number];

/** One broken promise. */
export interface Problem {
  kind: Kind;
  /** What happened, to whom. */
  text: string;
}

export function problem(kind: Kind, text: string): Problem {
  return { kind, text };
}
