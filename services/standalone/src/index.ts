export { standaloneConfigSchema } from './standalone-config.js';
