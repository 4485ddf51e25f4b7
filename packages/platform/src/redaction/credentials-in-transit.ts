import { type OnSecret, replacementFor } from './secret-kinds.js';

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
