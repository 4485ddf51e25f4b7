/** What is taken out of texts: the kind is part of the replacement and the label of a metric. docs/safety.md explains each. */
export const secretKinds = [
  'anthropic_key',
  'api_key',
  'aws_key',
  'basic_credentials',
  'bearer_token',
  'cookie',
  'github_token',
  'gitlab_token',
  'google_key',
  'huggingface_token',
  'jwt',
  'kubernetes_secret',
  'npm_token',
  'openai_key',
  'other_token',
  'password',
  'password_hash',
  'private_key',
  'pypi_token',
  'sendgrid_key',
  'signature',
  'slack_token',
  'stripe_key',
  'token',
  'url_password',
  'webhook',
  'whetstone_key',
  // Personal data, taken out only on request.
  'card_number',
  'email_address',
  'phone_number',
] as const;

export type SecretKind = (typeof secretKinds)[number];

/** Called once for each secret that is taken out. */
export type OnSecret = (kind: SecretKind) => void;

export function replacementFor(kind: SecretKind): string {
  return `[REDACTED:${kind}]`;
}

/** A part of a text to take out. */
export interface Span {
  from: number;
  to: number;
  kind: SecretKind;
}
