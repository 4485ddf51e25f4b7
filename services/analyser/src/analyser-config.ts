import type { ConfigOf, ConfigSchema } from '@whetstone/platform';

import type { ReflectorPoolConfig } from './adapters/reflector-pool.js';
import type { TraceConfig } from './adapters/trace-collector.js';
import { defaultEnhanceConfig, type EnhanceConfig } from './domain/answer/enhance-task.js';
import type { ProcessUploadConfig } from './domain/jobs/process-upload.js';
import { type ModelConfig, modelConfigOf, modelConfigSchema } from './model-config.js';

export const analyserConfigSchema = {
  type: 'object',
  properties: {
    ...modelConfigSchema.properties,
    WHETSTONE_ANALYSER_CONCURRENCY: {
      type: 'integer',
      minimum: 0,
      maximum: 1024,
      default: 16,
      description:
        'Jobs processed concurrently; accounts take turns, and their collections. With 0, uploads are accepted and wait.',
    },
    WHETSTONE_ANALYSIS_THREADS: {
      type: 'integer',
      minimum: 1,
      maximum: 64,
      default: 1,
      description: 'Worker threads for analysis; each handles one interaction at a time.',
    },
    WHETSTONE_ANALYSIS_MEMORY_MB: {
      type: 'integer',
      minimum: 64,
      default: 256,
      description: 'Memory limit of one analysis. Exceeding it fails the attempt.',
    },
    WHETSTONE_ANALYSIS_TIMEOUT_MS: {
      type: 'integer',
      minimum: 100,
      maximum: 240_000,
      default: 60_000,
      description: 'Time limit of one analysis. Exceeding it fails the attempt.',
    },
    WHETSTONE_ATTEMPT_TIMEOUT_MS: {
      type: 'integer',
      minimum: 1000,
      maximum: 300_000,
      default: 300_000,
      description: 'Time limit of one attempt at a job, analysis and storage together. Exceeding it fails the attempt.',
    },
    WHETSTONE_JOB_TRIES: {
      type: 'integer',
      minimum: 1,
      maximum: 10,
      default: 3,
      description: 'Attempts before a job fails and its upload goes to the dead letters.',
    },
    WHETSTONE_JOB_GRACE_MS: {
      type: 'integer',
      minimum: 0,
      default: 5000,
      description: 'How long running jobs may continue when the analyser stops. Unfinished jobs start over later.',
    },
    WHETSTONE_TRACE_WAIT_MS: {
      type: 'integer',
      minimum: 100,
      maximum: 3_600_000,
      default: 5000,
      description: 'How long after the root span, and after any span that comes later, a trace is complete.',
    },
    WHETSTONE_TRACE_IDLE_MS: {
      type: 'integer',
      minimum: 100,
      maximum: 86_400_000,
      default: 600_000,
      description: 'How long after its last span a trace without a root is complete.',
    },
    WHETSTONE_TRACE_MEMORY_MB: {
      type: 'integer',
      minimum: 1,
      default: 64,
      description: 'Memory for spans of traces that are not complete. Beyond it, traces are closed early.',
    },
    WHETSTONE_HOLDOUT_SHARE: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: 0,
      description:
        'Share of requests with recommendations that get their input back unchanged, to measure what recommendations ' +
        'are worth (`whetstone uplift`).',
    },
    WHETSTONE_GUARD_EFFECTS: {
      type: 'boolean',
      default: true,
      description:
        'Recommend an action that destroys, connects out, installs, widens rights, disables a safeguard or persists only ' +
        'if the task asks for it or several runs agree (docs/safety.md).',
    },
    WHETSTONE_LONGEST_WAIT_MS: {
      type: 'integer',
      minimum: 100,
      maximum: 60_000,
      default: 5000,
      description: 'Longest pause between retries while a dependency is unavailable.',
    },
  },
} as const satisfies ConfigSchema;

export interface AnalyserConfig extends ProcessUploadConfig {
  concurrency: number;
  /** How long running jobs may continue after `stop`. */
  stopGraceMs: number;
  reflector: ReflectorPoolConfig;
  traces: TraceConfig;
  /** Without a model, the reflector learns. */
  model?: ModelConfig;
  enhance: EnhanceConfig;
}

const firstWaitMs = 100;
const idleMs = 60_000;

export function analyserConfigOf(values: ConfigOf<typeof analyserConfigSchema>): AnalyserConfig {
  const timeoutMs = values.WHETSTONE_ANALYSIS_TIMEOUT_MS;
  const model = modelConfigOf(values);
  // One answer and one repair.
  const askingMs = model ? 2 * model.timeoutMs : 0;
  return {
    concurrency: values.WHETSTONE_ANALYSER_CONCURRENCY,
    stopGraceMs: values.WHETSTONE_JOB_GRACE_MS,
    traces: {
      waitMs: values.WHETSTONE_TRACE_WAIT_MS,
      idleMs: values.WHETSTONE_TRACE_IDLE_MS,
      maxBytes: values.WHETSTONE_TRACE_MEMORY_MB * 1024 * 1024,
    },
    reflector: {
      threads: values.WHETSTONE_ANALYSIS_THREADS,
      memoryMb: values.WHETSTONE_ANALYSIS_MEMORY_MB,
      timeoutMs,
      idleMs,
    },
    ...(model ? { model } : {}),
    enhance: {
      ...defaultEnhanceConfig,
      holdoutShare: values.WHETSTONE_HOLDOUT_SHARE,
      guardEffects: values.WHETSTONE_GUARD_EFFECTS,
    },
    maxTries: values.WHETSTONE_JOB_TRIES,
    storingTimeoutMs: Math.max(1000, values.WHETSTONE_ATTEMPT_TIMEOUT_MS - timeoutMs - askingMs),
    firstWaitMs,
    longestWaitMs: values.WHETSTONE_LONGEST_WAIT_MS,
  };
}
