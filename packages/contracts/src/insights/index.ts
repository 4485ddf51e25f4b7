export { oldRule, type ReadExample, type StoredInsight, typedInsight } from './typed-insight.js';
