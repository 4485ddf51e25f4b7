export { type AnalyserConfig, analyserConfigOf, analyserConfigSchema } from './analyser-config.js';
export { type Analyser, type AnalyserDeps, createAnalyser, openInsightProducer } from './create-analyser.js';
export type { InsightProducer, Pace } from './domain/ports.js';
