export { cpuSecondsOf } from './cpu-seconds.js';
export { eventually } from './eventually.js';
export { randomNumbers } from './random-numbers.js';
export { recordSpans } from './record-spans.js';
export { createRecordingLogger } from './recording-logger.js';
export {
  breaksOff,
  hangs,
  resets,
  type ScriptedAnswer,
  type ScriptedEndpoint,
  type SeenRequest,
  says,
  sends,
  startScriptedEndpoint,
  stopsHalfway,
} from './scripted-endpoint.js';
