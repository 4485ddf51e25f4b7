export * from './activity.js';
export * from './calls.js';
export * from './events.js';
export * from './insight.js';
export * from './lessons.js';
export { oldRule, type ReadExample, type StoredInsight, typedInsight } from './typed-insight.js';
