/** Proves that a call comes from a service of this installation. */
export interface CallTokens {
  /** @param method full name of the gRPC method, with its slashes; the token is good for no other */
  issue(method: string): string;
  /** `undefined` for a valid token. Takes any text and never throws. */
  verify(method: string, token: string): TokenProblem | undefined;
}

export interface TokenProblem {
  reason: (typeof tokenProblems)[number];
  /** Only of an expired token: how far the caller's clock is behind; negative if it is ahead. */
  skewSeconds?: number;
}

export const tokenProblems = ['malformed', 'unknown_secret', 'invalid', 'expired'] as const;
