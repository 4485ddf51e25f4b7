export {
  isMcpToolName,
  listMcpTools,
  type McpArguments,
  type McpToolName,
  mayCall,
  mcpInstructions,
  mcpTools,
} from './mcp-tools.js';
export { type ArmOutcomes, intervalOfShare, measureUplift, type Uplift } from './measure-uplift.js';
export * from './messages/index.js';
export * from './rest/index.js';
