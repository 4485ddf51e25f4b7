export * from './analyser.js';
export * from './indexer.js';
export * from './insight.js';
export * from './interaction.js';
export * from './keys.js';
export * from './status.js';
export * from './time.js';
export * from './topics.js';
