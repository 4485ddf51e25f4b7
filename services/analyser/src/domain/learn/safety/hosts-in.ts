const address = /\b[a-z][a-z0-9+.-]{1,20}:\/\/([^\s/?#\\"'`<>)\]},;|]{1,300})/gi;
const withoutScheme = /(?<![\w.@/:-])(www\.[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})/gi;
/** Programs that go to whatever host they are given, and what they are given. */
const reaching = /\b(?:curl|wget|ssh|scp|sftp|rsync|ftp|nc|ncat|telnet|ping|dig|nslookup)\b([^\n|;&]{1,200})/gi;
const target =
  /(?:^|[\s'"@=])(?:[\w.-]{1,64}@)?((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}|\d{1,3}(?:\.\d{1,3}){3})(?=[\s/:'"?]|$)/gi;
/** How a text that was too long ends; a host with it at its end is the beginning of one. */
const cutOff = '…';
/** Never leaves the machine. */
const own = /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/;
/** A word with a dot behind such a program is mostly a file where it ends like one. */
const fileEnding =
  /\.(?:json|txt|html?|zip|gz|tar|tgz|bz2|xz|sh|py|js|ts|md|log|csv|tsv|xml|ya?ml|sql|conf|cfg|ini|pem|crt|key|pub|bin|iso|img|png|jpe?g|gif|svg|pdf|deb|rpm|out|bak|tmp|dat|db|java|c|h|go|rs|rb|pl|php)$/i;

/** The hosts that a text leads to: addresses, and what is given to programs that go to a host. Bounded by the text. */
export function hostsIn(text: string): Set<string> {
  const hosts = new Set<string>();
  for (const [, authority = ''] of text.matchAll(address)) add(authority.slice(authority.lastIndexOf('@') + 1));
  for (const [, host = ''] of text.matchAll(withoutScheme)) add(host);
  for (const [, given = ''] of text.matchAll(reaching)) {
    for (const [, host = ''] of given.matchAll(target)) if (!fileEnding.test(host)) add(host);
  }
  return hosts;

  function add(authority: string): void {
    const [whole = '', ...cut] = authority.split(cutOff);
    const host = whole
      .normalize('NFKC')
      .toLowerCase()
      .replace(/(?<!:):\d{0,5}$/, '')
      .replace(/^www\./, '')
      .replace(/\.+$/, '');
    // A name in an address that is to be filled in leads nowhere yet.
    if (host !== '' && !own.test(host) && !/[${]/.test(host)) hosts.add(cut.length > 0 ? host + cutOff : host);
  }
}

/** Whether a host is among others; the beginning of one, whether one of them begins like it. */
export function isAmong(host: string, others: ReadonlySet<string>): boolean {
  if (!host.endsWith(cutOff)) return others.has(host);
  const beginning = host.slice(0, -cutOff.length);
  return [...others].some((other) => other.startsWith(beginning));
}
