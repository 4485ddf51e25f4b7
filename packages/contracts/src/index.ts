export * from './messages/index.js';
export * from './rest/index.js';
