const errorChars = 4_000;

/**
 * The global `fetch` for the SDK. It reads of an error only `{"error": …}`, and endpoints say theirs in other shapes too
 * (`detail`, `message`, plain text); here all of them become that one, so that what is wrong can be told.
 */
export async function fetchWithPlainErrors(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.ok) return response;
  const { status, statusText, headers } = response;
  const text = (await response.text()).slice(0, errorChars);
  const plain = new Headers({ 'content-type': 'application/json' });
  for (const name of ['retry-after', 'retry-after-ms', 'x-request-id']) {
    const value = headers.get(name);
    if (value !== null) plain.set(name, value);
  }
  return new Response(JSON.stringify({ error: errorIn(text) }), { status, statusText, headers: plain });
}

function errorIn(text: string): object {
  const { error } = parsed(text) ?? {};
  if (typeof error === 'object' && error !== null) return error;
  if (typeof error === 'string') return { message: error };
  return { message: text.trim() === '' ? 'no reason given' : text };
}

/** Undefined for what is not JSON. */
function parsed(text: string): { error?: unknown } | null | undefined {
  try {
    return JSON.parse(text) as { error?: unknown } | null;
  } catch {
    return undefined;
  }
}
