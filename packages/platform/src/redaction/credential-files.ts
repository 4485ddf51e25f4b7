import type { Span } from './secret-kinds.js';

const hash =
  /\$(?:[1567y]|gy|2[abxy]?|apr1|argon2(?:id|i|d)|scrypt|sha1|md5|pbkdf2[\w-]{0,20})\$[^\s:"'`,;<>|\\]{16,512}|\{(?:SSHA|SHA|SMD5|MD5|CRYPT|PBKDF2)[\w-]{0,8}\}[A-Za-z0-9+/=.$]{16,512}/y;

/** A hash as in `/etc/shadow`, `.htpasswd` and LDAP, which begins at `at` with `$` or `{`. */
export function passwordHash(text: string, at: number): Span | undefined {
  hash.lastIndex = at;
  return hash.test(text) ? { from: at, to: hash.lastIndex, kind: 'password_hash' } : undefined;
}

const afterPort = /[\w.*-]{1,63}:[\w.*-]{1,63}:(?=\S{0,256}[A-Za-z])\S{4,256}(?=\r?\n|$)/y;
const hostAndPort = /(?:^|\n)[\w.*-]{1,255}:(?:\d{2,5}|\*)$/;

/** The password in a line of `.pgpass`: host, port, database, user, password. The colon after the port is at `colon`. */
export function passwordOfPgpass(text: string, colon: number): Span | undefined {
  afterPort.lastIndex = colon + 1;
  if (!afterPort.test(text)) return undefined;
  const to = afterPort.lastIndex;
  if (!hostAndPort.test(text.slice(Math.max(0, colon - 262), colon))) return undefined;
  return { from: text.lastIndexOf(':', to - 1) + 1, to, kind: 'password' };
}

/** Without quotes, only the end of the statement tells it from a sentence. */
const identified =
  /[ \t]{1,16}(?:with[ \t]{1,16}["']?\w{1,64}["']?[ \t]{1,16})?(?:by|as)[ \t]{1,16}(?:password[ \t]{1,16})?(?:['"](?![<{[*%])(?<secret>[^'"\r\n$]{1,256})|(?<bare>[^\s'"$<{;]{3,256});)/diy;

/** SQL's `IDENTIFIED BY '…'`. */
export function passwordOfSql(text: string, wordEnd: number): Span | undefined {
  identified.lastIndex = wordEnd;
  const groups = identified.exec(text)?.indices?.groups;
  const [from, to] = groups?.['secret'] ?? groups?.['bare'] ?? [];
  return from === undefined || to === undefined ? undefined : { from, to, kind: 'password' };
}
