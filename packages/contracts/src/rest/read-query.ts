export interface QueryParameter {
  /** Absent where it cannot be decoded. */
  text?: string;
  isRepeated: boolean;
  /** Bad percent encoding, or bytes that are no text. */
  isUnreadable: boolean;
}

/** The named parameters of a query string (without its question mark); a name that is not asked for is skipped. */
export function readQuery(query: string, names: readonly string[]): Map<string, QueryParameter> {
  const parameters = new Map<string, QueryParameter>();
  for (const pair of query.split('&')) {
    const end = pair.indexOf('=');
    const name = decode(end < 0 ? pair : pair.slice(0, end));
    if (name === undefined || !names.includes(name)) continue;
    const text = decode(end < 0 ? '' : pair.slice(end + 1));
    const parameter = { isRepeated: parameters.has(name), isUnreadable: text === undefined };
    parameters.set(name, text === undefined ? parameter : { ...parameter, text });
  }
  return parameters;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
