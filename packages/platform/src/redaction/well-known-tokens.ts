import { type OnSecret, replacementFor, type SecretKind } from './secret-kinds.js';

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
