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

/**
 * Tokens that say by their own shape what they are. All of them begin where no word is going on, so a long run of letters
 * has one place to begin at and is read once, whatever it is made of.
 */
const shapes: Partial<Record<SecretKind, string>> = {
  anthropic_key: 'sk-ant-[\\w-]{20,}',
  openai_key: 'sk-[\\w-]{20,}',
  aws_key: '(?<![+/])A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}(?![\\w+/-])',
  github_token: 'gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\\w{22,}',
  gitlab_token: 'gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent)-[\\w-]{20,}',
  google_key: '(?<![+/])AIza[\\w-]{35}(?![\\w+/-])|ya29\\.[\\w-]{20,}|GOCSPX-[\\w-]{20,}',
  huggingface_token: 'hf_[A-Za-z0-9]{30,}',
  jwt: 'eyJ[\\w-]{13,}\\.[\\w-]{10,}(?:\\.[\\w-]*)*',
  npm_token: 'npm_[A-Za-z0-9]{36,}',
  other_token:
    'dop_v1_[0-9a-f]{64}|gsk_[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{37,}|xai-[A-Za-z0-9]{40,}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}',
  pypi_token: 'pypi-Ag[\\w-]{40,}',
  sendgrid_key: 'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
  slack_token: 'xox[a-z]-[\\w-]{11,}|xapp-[\\w-]{11,}',
  stripe_key: '[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9]{24,}',
  whetstone_key: 'wst_[0-9a-z_]{20,}',
};

const kinds = Object.keys(shapes) as SecretKind[];
const pattern = new RegExp(`(?<![\\w-])(?:${kinds.map((kind) => `(${shapes[kind]})`).join('|')})`, 'g');
/** Ours never stay, whatever they are glued to. */
const ownKey = /wst_[0-9a-z]{16}_[0-9a-z]{40}_[0-9a-z]{6}/g;

export function redactWellKnownTokens(text: string, onSecret: OnSecret): string {
  if (!hasLongRun(text)) return text;
  const rest = text.replace(pattern, (match, ...groups) => {
    const kind = kinds[groups.findIndex((group) => group !== undefined)];
    if (kind === undefined || (kind === 'openai_key' && !isRandom(match))) return match;
    onSecret(kind);
    return replacementFor(kind);
  });
  return rest.replace(ownKey, () => {
    onSecret('whetstone_key');
    return replacementFor('whetstone_key');
  });
}

/** `sk-` also begins names of style classes: short words between dashes, and no mixture of capitals and digits. */
function isRandom(match: string): boolean {
  return /[A-Za-z0-9]{16}/.test(match) || (/\d/.test(match) && /[A-Z]/.test(match));
}

/** Every one of them has this many letters of words in a row, and most sentences do not. */
const run = 16;
const isWordLetter = Uint8Array.from({ length: 256 }, (_, code) => (/[\w-]/.test(String.fromCharCode(code)) ? 1 : 0));

/** Looks backwards from where a run would end: a letter of no word rules out all runs that hold it. */
function hasLongRun(text: string): boolean {
  for (let end = run - 1; end < text.length; ) {
    let at = end;
    while (at > end - run && isWordLetter[text.charCodeAt(at) & 255] === 1) at -= 1;
    if (at === end - run) return true;
    end = at + run;
  }
  return false;
}

const privateKey =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g;
const urlPassword = /(:\/\/[^\s/?#@:"'`<>]{0,256}:)([^\s/?#@"'`<>]{1,256})(?=@)/g;
const authorization = /(?<![A-Za-z])(bearer|basic)([ \t]{1,16})([A-Za-z0-9._~+/=-]{8,})/gi;
/** Words without which the next two need not be looked for: one quick look instead of two thorough ones. */
const spoken = /[Bb]earer|BEARER|[Bb]asic|BASIC|[Ii]dentified|IDENTIFIED/;
const userOption = /((?:^|\s)(?:-u|--user)[ =]["']?(?!\d+:)[\w.@-]{1,128}:)([^\s"'$<{]{1,256})/g;
const identifiedBy = /(\bidentified by\s{1,16}(?:password\s{1,16})?['"])([^'"\r\n]{1,256})/gi;

/** Private keys, and what travels in headers, addresses, and options of commands. */
export function redactCredentials(text: string, onSecret: OnSecret): string {
  let rest = text;
  if (rest.includes('-----BEGIN')) {
    rest = rest.replace(privateKey, () => {
      onSecret('private_key');
      return replacementFor('private_key');
    });
  }
  if (rest.includes('@')) rest = rest.replace(urlPassword, keepingStart('url_password'));
  if (rest.includes('-u')) rest = rest.replace(userOption, keepingStart('password'));
  if (!spoken.test(rest)) return rest;
  rest = rest.replace(identifiedBy, keepingStart('password'));
  return rest.replace(authorization, (match, scheme: string, space: string, value: string) => {
    const kind = scheme.toLowerCase() === 'basic' ? 'basic_credentials' : 'bearer_token';
    const isSecret = kind === 'basic_credentials' ? isBasic(value) : isToken(value);
    if (!isSecret) return match;
    onSecret(kind);
    return `${scheme}${space}${replacementFor(kind)}`;
  });

  function keepingStart(kind: 'url_password' | 'password') {
    return (match: string, start: string, secret: string) => {
      if (/^(?:\$|%|\{|\[REDACTED|\*+$)/.test(secret)) return match;
      onSecret(kind);
      return `${start}${replacementFor(kind)}`;
    };
  }
}

/** Base64 of `user:password`, and not just a word after "basic". */
function isBasic(value: string): boolean {
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value, 'base64').toString('latin1'));
}

function isToken(value: string): boolean {
  return value.length >= 16 && /\d/.test(value) && /[A-Za-z]/.test(value);
}
