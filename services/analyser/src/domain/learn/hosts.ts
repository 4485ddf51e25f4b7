import type { Interaction } from '@whetstone/contracts';

import type { Step } from './steps.js';

const address = /\b[a-z][a-z0-9+.-]{1,20}:\/\/([^\s/?#\\"'`<>)\]},;|]{1,300})/gi;
const wordOrEnd = /[\w.@:/$…-]+|[\n|;&]/g;
const hostName = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}$/i;
const ipAddress = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** Programs that contact the host they are given. */
const networkPrograms = new Set('curl wget ssh scp sftp rsync ftp nc ncat ping dig nslookup'.split(' '));
/** An argument of such a program with one of these endings is a file, not a host. */
const fileEndings = new Set(
  'json txt html zip gz tar tgz sh py js ts md log csv xml yaml yml sql conf pem key pub iso img png pdf deb rpm out db'.split(
    ' ',
  ),
);
/** Local addresses. */
const localHosts = new Set(['localhost', '0.0.0.0', '[::1]', '[::]']);
/** Ends a clipped text; a host that ends with it is only a prefix. */
const cutOff = '…';

/** The hosts that a text refers to: in URLs, and as arguments of network programs. */
export function hostsIn(text: string): Set<string> {
  const hosts = new Set<string>();
  for (const [, authority = ''] of text.matchAll(address)) add(authority);
  let reaches = false;
  for (const [word] of text.matchAll(wordOrEnd)) {
    if (word.toLowerCase().startsWith('www.') || (reaches && isHost(word))) add(upTo(word, '/'));
    const isEnd = '\n|;&'.includes(word);
    reaches = !isEnd && (reaches || networkPrograms.has(programIn(word)));
  }
  return hosts;

  function add(authority: string): void {
    const host = hostIn(authority);
    // Ignore placeholders.
    if (host === '' || localHosts.has(host) || host.includes('$') || host.includes('{')) return;
    if (!ipAddress.test(host) || !host.startsWith('127.')) hosts.add(authority.includes(cutOff) ? host + cutOff : host);
  }
}

/** Whether the host, or a host that starts with this prefix, is known. */
export function isKnownHost(host: string, known: ReadonlySet<string>): boolean {
  if (!host.endsWith(cutOff)) return known.has(host);
  const prefix = host.slice(0, -cutOff.length);
  return [...known].some((other) => other.startsWith(prefix));
}

/** Without credentials, port, `www.` and trailing dots. */
function hostIn(authority: string): string {
  const named = upTo(authority.slice(authority.lastIndexOf('@') + 1), cutOff)
    .normalize('NFKC')
    .toLowerCase();
  let host = named.startsWith('[') ? `${upTo(named, ']')}]` : upTo(named, ':');
  while (host.endsWith('.')) host = host.slice(0, -1);
  return host.startsWith('www.') ? host.slice(4) : host;
}

function isHost(word: string): boolean {
  const host = hostIn(upTo(word, '/'));
  return ipAddress.test(host) || (hostName.test(host) && !fileEndings.has(host.slice(host.lastIndexOf('.') + 1)));
}

function programIn(word: string): string {
  return upTo(upTo(word.slice(word.lastIndexOf('/') + 1), '.'), ':').toLowerCase();
}

function upTo(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at < 0 ? text : text.slice(0, at);
}

const queryChars = 20_000;
const headChars = 2_000;
const maxHosts = 1_000;
/** The line of an observation that shows the current page. */
const locationLine =
  /^[ \t]{0,8}[[("']{0,2}(?:current |page |active tab )?(?:url|address|location)["']?[ \t]?[:=][ \t]?(.{1,500})/im;

/**
 * The hosts that a run visited: named by the task, contacted by an action, or shown as the current page. A host that is
 * only mentioned, in a page, a mail, a result or a reply, does not count: a planted address must not become advice.
 */
export function visitedHosts({ query, turns }: Interaction, steps: readonly Step[]): Set<string> {
  const hosts = hostsIn(query.slice(0, queryChars));
  for (const { action, role } of steps) if (role !== 'talk') addAll(action.text);
  for (const { inputs, result = '' } of turns) {
    for (const text of [inputs, result]) addAll(locationLine.exec(text.slice(0, headChars))?.[1] ?? '');
  }
  return hosts;

  function addAll(text: string): void {
    if (hosts.size < maxHosts) for (const host of hostsIn(text)) hosts.add(host);
  }
}
