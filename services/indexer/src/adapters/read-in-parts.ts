/** Reads the rows that belong to any number of values, each once, some values at a time; ascending by id. */
export async function readInParts<Found extends { id: string }>(
  values: readonly string[],
  valuesAtOnce: number,
  read: (some: string[]) => Promise<Found[]>,
): Promise<Found[]> {
  const distinct = [...new Set(values)];
  const parts: Found[][] = [];
  for (let at = 0; at < distinct.length; at += valuesAtOnce) {
    parts.push(await read(distinct.slice(at, at + valuesAtOnce)));
  }
  return parts.flat().sort((a, b) => (a.id < b.id ? -1 : 1));
}
