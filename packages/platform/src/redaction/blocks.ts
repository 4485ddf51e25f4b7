import type { Span } from './secret-kinds.js';

const pem = /[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const pemEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const dashes = '-----';

/** A private key with everything between its lines, up to the end of the text if its own is missing. `BEGIN` ends at `wordEnd`. */
export function privateKey(text: string, wordEnd: number): Span | undefined {
  const from = wordEnd - 'BEGIN'.length - dashes.length;
  if (from < 0 || !text.startsWith(dashes, from)) return undefined;
  pem.lastIndex = wordEnd;
  if (!pem.test(text)) return undefined;
  pemEnd.lastIndex = pem.lastIndex;
  return { from, to: pemEnd.test(text) ? pemEnd.lastIndex : text.length, kind: 'private_key' };
}

const puttyLines = /: \d{1,3}(?:\r?\n|\\r\\n|\\n)(?<secret>(?:[A-Za-z0-9+/=]{4,64}(?:\r?\n|\\r\\n|\\n|$)){1,999})/dy;

/** The lines after `Private-Lines` in a key of PuTTY. */
export function puttyKey(text: string, wordEnd: number): Span | undefined {
  puttyLines.lastIndex = wordEnd;
  const [from, to] = puttyLines.exec(text)?.indices?.groups?.['secret'] ?? [];
  if (from === undefined || to === undefined) return undefined;
  return { from, to: from + text.slice(from, to).replace(/(?:\r?\n|\\r\\n|\\n)$/, '').length, kind: 'private_key' };
}

const manifest = /\bkind["']?:[ \t]*["']?Secret\b/g;
const document = /(?:^|\n)---/g;

export interface KubernetesSecrets {
  /** The values after `data` or `stringData`, which ends at `wordEnd`. */
  valuesAt(wordEnd: number): Span[];
}

/** Reads the values of Kubernetes secrets, whatever their names. Looks for the manifests once, when it is first asked. */
export function createKubernetesSecrets(text: string): KubernetesSecrets {
  let documents: readonly Document[] | undefined;
  return {
    valuesAt(wordEnd) {
      if (!/["':]/.test(text.charAt(wordEnd))) return [];
      documents ??= secretDocuments(text);
      const inSecret = documents.some(({ from, to }) => from <= wordEnd && wordEnd < to);
      return inSecret ? [...yamlValues(text, wordEnd), ...jsonValues(text, wordEnd)] : [];
    },
  };
}

interface Document {
  from: number;
  to: number;
}

const mostDocuments = 100;

/** The documents of a YAML stream that are secrets. A text in which there are many counts as one. */
function secretDocuments(text: string): Document[] {
  const found: Document[] = [];
  manifest.lastIndex = 0;
  for (let match = manifest.exec(text); match; match = manifest.exec(text)) {
    document.lastIndex = match.index;
    const to = document.test(text) ? document.lastIndex : text.length;
    found.push({ from: Math.max(text.lastIndexOf('\n---', match.index), 0), to });
    if (found.length > mostDocuments) return [{ from: 0, to: text.length }];
    manifest.lastIndex = to;
  }
  return found;
}

const yamlHead = /:[ \t]*\r?\n/y;
const entry = /[ \t]+[\w.-]{1,253}:[ \t]*(?:\|-?[ \t]*\r?\n[ \t]*)?(?<secret>[^\r\n]*)(?:\r?\n|$)/dy;
const jsonHead = /"[ \t]*:\s*\{/y;
const member = /\s*"[\w.-]{1,253}"\s*:\s*"(?<secret>(?:[^"\\\r\n]|\\.)*)"\s*,?/dy;

function yamlValues(text: string, wordEnd: number): Span[] {
  return valuesOf(text, wordEnd, yamlHead, entry);
}

function jsonValues(text: string, wordEnd: number): Span[] {
  return valuesOf(text, wordEnd, jsonHead, member);
}

function valuesOf(text: string, wordEnd: number, head: RegExp, item: RegExp): Span[] {
  const found: Span[] = [];
  head.lastIndex = wordEnd;
  if (!head.test(text)) return found;
  item.lastIndex = head.lastIndex;
  for (let match = item.exec(text); match; match = item.exec(text)) {
    const [from, to] = match.indices?.groups?.['secret'] ?? [0, 0];
    const isSecret = to - from >= 4 && !/^["']?[$<{[*]/.test(text.slice(from, to));
    if (isSecret) found.push({ from, to, kind: 'kubernetes_secret' });
  }
  return found;
}
