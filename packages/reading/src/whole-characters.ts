const half = /\p{Surrogate}/gu;

/**
 * The same value without halves of characters in its texts: where a text is cut between the two halves of one, what is left is no
 * text to whoever has to write it as UTF-8.
 */
export function withWholeCharacters<Value>(value: Value): Value {
  return whole(value) as Value;
}

function whole(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(half, '');
  if (Array.isArray(value)) return value.map(whole);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, whole(item)]));
}
