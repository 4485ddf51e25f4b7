export { recordSpans } from './record-spans.js';
export { createRecordingLogger } from './recording-logger.js';
