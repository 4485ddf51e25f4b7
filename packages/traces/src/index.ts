export { assembleRun } from './assemble-run.js';
export { isObject } from './messages.js';
export { decodeTraces, encodeAnswer, type OtlpSpan, type PartialSuccess, readTraces } from './otlp.js';
export { lacksContent, type RunSpan, readSpan } from './read-span.js';
export { runOfMessages } from './run-of-messages.js';
