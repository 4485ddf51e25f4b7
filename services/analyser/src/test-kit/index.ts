export * from './in-memory-jobs.js';
export * from './in-memory-knowledge.js';
export * from './reflection-of.js';
export * from './uploads.js';
export * from './workbench.js';
