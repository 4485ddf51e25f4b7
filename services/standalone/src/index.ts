export { standaloneConfigSchema, standaloneSchemas } from './standalone-config.js';
