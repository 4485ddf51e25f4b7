/** What is fetched and started for development and tests. */
export type EngineName = 'kafka' | 'milvus' | 'model server';

/** Without which there is no cluster. */
export const clusterEngines: readonly EngineName[] = ['kafka', 'milvus'];
