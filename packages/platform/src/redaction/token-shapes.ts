import type { SecretKind, Span } from './secret-kinds.js';

/** Tokens that say by their own shape what they are. Each is read from the start of a word. */
const shapes: Partial<Record<SecretKind, readonly string[]>> = {
  anthropic_key: ['sk-ant-[\\w-]{20,}'],
  openai_key: ['sk-[\\w-]{20,}'],
  aws_key: ['(?<![+/])A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}(?![\\w+/-])'],
  github_token: ['gh[pousr]_[A-Za-z0-9]{36,}', 'github_pat_\\w{22,}'],
  gitlab_token: ['gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent)-[\\w-]{20,}'],
  google_key: ['(?<![+/])AIza[\\w-]{35}(?![\\w+/-])', 'ya29\\.[\\w-]{20,}', 'GOCSPX-[\\w-]{20,}'],
  huggingface_token: ['hf_[A-Za-z0-9]{30,}'],
  jwt: ['eyJ[\\w-]{13,}\\.[\\w-]{10,}(?:\\.[\\w-]*)*'],
  npm_token: ['npm_[A-Za-z0-9]{36,}'],
  password_hash: ['[0-9a-f]{32}:[0-9a-f]{32}(?=:::)'],
  private_key: ['AGE-SECRET-KEY-1[0-9A-Z]{58}'],
  pypi_token: ['pypi-Ag[\\w-]{40,}'],
  sendgrid_key: ['SG\\.[\\w-]{16,}\\.[\\w-]{16,}'],
  slack_token: ['xox[a-z]-[\\w-]{11,}', 'xoxe\\.xox[bp]-[\\w-]{11,}', 'xapp-[\\w-]{11,}'],
  stripe_key: ['[rs]k_(?:live|test)_[A-Za-z0-9]{16,}', 'whsec_[A-Za-z0-9]{24,}'],
  whetstone_key: ['wst_[0-9a-z_]{20,}'],
  other_token: [
    'do[opr]_v1_[0-9a-f]{64}',
    'gsk_[A-Za-z0-9]{40,}',
    'r8_[A-Za-z0-9]{37,}',
    '(?:xai|pplx)-[A-Za-z0-9]{40,}',
    'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}',
    'hv[sbr]\\.[\\w-]{24,}',
    'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{32,}',
    'dapi[0-9a-f]{32}(?:-\\d)?(?![\\w-])',
    '(?:SK|AC)[0-9a-f]{32}(?![\\w-])',
    'key-[0-9a-f]{32}(?![\\w-])',
    '[0-9a-f]{32}-us\\d{1,2}(?![\\w-])',
    'pat-[a-z]{2}\\d-[0-9a-f-]{36}',
    'PMAK-[0-9a-f]{24}-[0-9a-f]{34}',
    'NR(?:AK|II|RA|IQ)-[A-Za-z0-9-]{20,}',
    '(?:pul|fo1|fm2|duffel|HRKU|CFPAT|xkeysib|sq0(?:atp|csp|idp))[-_][\\w-]{30,}',
    'LTAI[A-Za-z0-9]{16,26}(?![\\w-])',
    '(?:ATATT3|ATCTT3|ATBB|AKCp)[A-Za-z0-9_=-]{28,}',
    '[MNO][A-Za-z\\d]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,}',
    // The part of a Telegram bot's token that follows its number, and of a Terraform token that follows its name.
    '(?<=(?<!\\d)\\d{8,10}:)AA[\\w-]{33}(?![\\w-])',
    '(?<=\\.atlasv1\\.)[\\w-]{60,}',
    // Any maker's: a short prefix, often with `pat`, `api` or `live` in it, and a long random end.
    '(?:ntn|fig[dou]|gls[ac]|glc|sntry[su]|sbp|nfp|tfp|rdme|bkua|aio|CCIPAT|rubygems|phx|phc|lsv2|fc|tvly|re|pa|ops|ghi|sgp|sq[upa]|shippo|pscale|supabase|adafruit|secret|notion)_(?:[A-Za-z0-9]{1,8}_)*[A-Za-z0-9-]{28,}(?:_[0-9a-fA-F]{6,8})?(?!\\w)',
    '[A-Za-z]{2,12}[_-](?:[a-z0-9]{1,8}[_-]){0,2}(?:sk|pat|api|key|secret|token|live)[_-](?:[a-z0-9]{1,8}[_-]){0,2}[A-Za-z0-9]{24,}(?![\\w-])',
  ],
};

const kinds = Object.keys(shapes) as SecretKind[];
const pattern = new RegExp(`(?:${kinds.map((kind) => `(${shapes[kind]?.join('|')})`).join('|')})`, 'y');

/** Every shape but those of `dottedPrefixes` begins with a word of at least this length. */
export const shortestTokenWord = 16;
/** Words that begin a token before a dot or a slash. */
export const dottedPrefixes = ['SG', 'ya29', 'hvs', 'hvb', 'hvr', 'dp', 'xoxe'];

/** The token that begins here, at the start of a word. */
export function tokenAt(text: string, from: number): Span | undefined {
  pattern.lastIndex = from;
  if (!pattern.test(text)) return undefined;
  const to = pattern.lastIndex;
  pattern.lastIndex = from;
  const [match = '', ...groups] = pattern.exec(text) ?? [];
  const kind = kinds[groups.findIndex((group) => group !== undefined)];
  if (kind === undefined || (kind === 'openai_key' && !isRandom(match))) return undefined;
  if (kind === 'other_token' && !/\d|[a-z][A-Z]/.test(match)) return undefined;
  return { from, to, kind };
}

/** `sk-` also begins names of style classes: short words between dashes, and no mixture of capitals and digits. */
function isRandom(match: string): boolean {
  return /[A-Za-z0-9]{16}/.test(match) || (/\d/.test(match) && /[A-Z]/.test(match));
}

const ownKey = /wst_[0-9a-z]{16}_[0-9a-z]{40}_[0-9a-z]{6}/g;
const ownKeyLength = 68;

/** Keys of this service go whatever they are glued to. */
export function ownKeysIn(text: string, from: number, to: number): Span[] {
  if (to - from < ownKeyLength) return [];
  return [...text.slice(from, to).matchAll(ownKey)].map(({ index }) => ({
    from: from + index,
    to: from + index + ownKeyLength,
    kind: 'whetstone_key',
  }));
}
