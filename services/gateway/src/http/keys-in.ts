import type { Request } from 'express';

/** The different keys of a request: in `x-api-key`, and in every `Authorization: Bearer`. Other schemes are not ours. */
export function keysIn(req: Request): Set<string> {
  const { 'x-api-key': given, authorization } = req.headers;
  const sent = new Set<string>(typeof given === 'string' && given !== '' ? [given] : []);
  // Node keeps only the first of several.
  const credentials = authorization === undefined ? [] : (req.headersDistinct['authorization'] ?? []);
  for (const credential of credentials) {
    const [, key] = /^bearer(?: +(.*))?$/i.exec(credential) ?? [];
    if (key) sent.add(key);
  }
  return sent;
}
