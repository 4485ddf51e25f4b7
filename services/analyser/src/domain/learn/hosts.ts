import type { Interaction } from '@whetstone/contracts';

import type { Step } from './steps.js';

const address = /\b[a-z][a-z0-9+.-]{1,20}:\/\/([^\s/?#\\"'`<>)\]},;|]{1,300})/gi;
const wordOrEnd = /[\w.@:/$…-]+|[\n|;&]/g;
const hostName = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}$/i;
const ipAddress = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** Programs that go to whatever host they are given. */
const reaching = new Set('curl wget ssh scp sftp rsync ftp nc ncat ping dig nslookup'.split(' '));
/** A word with a dot behind such a program is mostly a file where it ends like one. */
const fileEndings = new Set(
  'json txt html zip gz tar tgz sh py js ts md log csv xml yaml yml sql conf pem key pub iso img png pdf deb rpm out db'.split(
    ' ',
  ),
);
/** Never leave the machine. */
const own = new Set(['localhost', '0.0.0.0', '[::1]', '[::]']);
/** How a text that was too long ends; a host with it at its end is the beginning of one. */
const cutOff = '…';

/** The hosts that a text leads to: addresses, and what is given to programs that go to a host. Bounded by the text. */
export function hostsIn(text: string): Set<string> {
  const hosts = new Set<string>();
  for (const [, authority = ''] of text.matchAll(address)) add(authority);
  let reaches = false;
  for (const [word] of text.matchAll(wordOrEnd)) {
    if (word.toLowerCase().startsWith('www.') || (reaches && isHost(word))) add(upTo(word, '/'));
    const isEnd = '\n|;&'.includes(word);
    reaches = !isEnd && (reaches || reaching.has(programIn(word)));
  }
  return hosts;

  function add(authority: string): void {
    const host = hostIn(authority);
    // A name in an address that is to be filled in leads nowhere yet.
    if (host === '' || own.has(host) || host.includes('$') || host.includes('{')) return;
    if (!ipAddress.test(host) || !host.startsWith('127.')) hosts.add(authority.includes(cutOff) ? host + cutOff : host);
  }
}

/** Whether a host is among others; the beginning of one, whether one of them begins like it. */
export function isAmong(host: string, others: ReadonlySet<string>): boolean {
  if (!host.endsWith(cutOff)) return others.has(host);
  const beginning = host.slice(0, -cutOff.length);
  return [...others].some((other) => other.startsWith(beginning));
}

/** Without who signs in, the port, `www.` and dots at the end. */
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
const mostHosts = 1_000;
/** The line with which an observation says where the agent is. */
const whereabouts =
  /^[ \t]{0,8}[[("']{0,2}(?:current |page |active tab )?(?:url|address|location)["']?[ \t]?[:=][ \t]?(.{1,500})/im;

/**
 * The hosts that a run has to do with: named by the task, reached for by an action, or where the agent says it was looking. That a
 * page, a mail or a result mentions a host does not make it one of them, nor that the agent speaks of it: what somebody
 * planted there must not become advice.
 */
export function visitedHosts({ query, turns }: Interaction, steps: readonly Step[]): Set<string> {
  const hosts = hostsIn(query.slice(0, queryChars));
  for (const { action, role } of steps) if (role !== 'talk') addAll(action.text);
  for (const { inputs, result = '' } of turns) {
    for (const text of [inputs, result]) addAll(whereabouts.exec(text.slice(0, headChars))?.[1] ?? '');
  }
  return hosts;

  function addAll(text: string): void {
    if (hosts.size < mostHosts) for (const host of hostsIn(text)) hosts.add(host);
  }
}
