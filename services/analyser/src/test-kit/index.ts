export * from './in-memory-jobs.js';
export * from './in-memory-knowledge.js';
export * from './log-job-view.js';
export * from './log-site.js';
export * from './reflection-of.js';
export * from './uploads.js';
export * from './workbench.js';
