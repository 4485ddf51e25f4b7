/** What is fetched for development and tests: servers to start, and the tools that the chart is checked with. */
export type EngineName = 'kafka' | 'milvus' | 'model server' | 'chart tools';

/** Without which there is no cluster. */
export const clusterEngines: readonly EngineName[] = ['kafka', 'milvus'];
