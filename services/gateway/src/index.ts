export { createGateway, type Gateway, type GatewayDeps } from './create-gateway.js';
export type { Enhancer, JobLookup, KnowledgeRemover } from './domain/ports.js';
export { type GatewayConfig, gatewayConfigOf, gatewayConfigSchema } from './gateway-config.js';
