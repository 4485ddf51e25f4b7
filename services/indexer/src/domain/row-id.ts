/** Contains the collection, so that two collections can never share a row; sorts by job, then attempt. */
export function rowIdOf(collectionId: string, jobId: string, attempt: string, ordinal: number): string {
  return `${collectionId}/${jobId}/${attempt}/${ordinal}`;
}

/** What a vote calls an insight: what stays the same of its row's id when another attempt replaces it. */
export function insightNameOf({ jobId, ordinal }: { jobId: string; ordinal: number }): string {
  return `${jobId}/${ordinal}`;
}

/** The same from the row's id; undefined where that is not of this collection. */
export function insightNameOfId(collectionId: string, id: string): string | undefined {
  const [collection, jobId, attempt, ordinal, ...more] = id.split('/');
  const isWhole = jobId && attempt && ordinal !== undefined && /^\d+$/.test(ordinal) && more.length === 0;
  return collection === collectionId && isWhole ? insightNameOf({ jobId, ordinal: Number(ordinal) }) : undefined;
}

export function jobOfInsight(name: string): string {
  return name.slice(0, name.lastIndexOf('/'));
}
