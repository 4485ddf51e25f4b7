export {
  type ChatAnswer,
  type ChatRequest,
  createModelEndpoint,
  type ModelEndpoint,
  type ModelEndpointOptions,
} from './model-endpoint.js';
export { type FailureKind, isModelFailure, ModelFailure, toAppError } from './model-failure.js';
export { type Complain, createSparingComplaint } from './sparing-complaint.js';
