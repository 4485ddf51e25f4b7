export { createStatus, type StatusDeps, type StatusService } from './create-status.js';
export { type StatusConfig, statusConfigOf, statusConfigSchema } from './status-config.js';
