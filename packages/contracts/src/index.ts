export * from './insights/index.js';
export * from './messages/index.js';
export * from './outcomes/index.js';
export * from './rest/index.js';
