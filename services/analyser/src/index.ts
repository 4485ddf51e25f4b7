export { type AnalyserConfig, analyserConfigOf, analyserConfigSchema } from './analyser-config.js';
export { type Analyser, type AnalyserDeps, createAnalyser } from './create-analyser.js';
export type { Pace } from './domain/ports.js';
