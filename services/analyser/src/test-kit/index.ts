export * from './in-memory.js';
export * from './interactions.js';
export * from './log-site.js';
export * from './reflection-of.js';
export * from './uploads.js';
export * from './workbench.js';
