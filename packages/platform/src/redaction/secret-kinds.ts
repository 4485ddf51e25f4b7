/** What is taken out of texts. Part of the replacement, and the label of a metric. */
export const secretKinds = [
  'anthropic_key',
  'api_key',
  'aws_key',
  'basic_credentials',
  'bearer_token',
  'github_token',
  'gitlab_token',
  'google_key',
  'huggingface_token',
  'jwt',
  'npm_token',
  'openai_key',
  'other_token',
  'password',
  'private_key',
  'pypi_token',
  'sendgrid_key',
  'slack_token',
  'stripe_key',
  'token',
  'url_password',
  'whetstone_key',
] as const;

export type SecretKind = (typeof secretKinds)[number];

/** Called once for each secret that is taken out. */
export type OnSecret = (kind: SecretKind) => void;

export function replacementFor(kind: SecretKind): string {
  return `[REDACTED:${kind}]`;
}
