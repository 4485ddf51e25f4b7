/** Contains the collection, so that two collections can never share a row; sorts by job, then attempt. */
export function rowIdOf(collectionId: string, jobId: string, attempt: string, ordinal: number): string {
  return `${collectionId}/${jobId}/${attempt}/${ordinal}`;
}
