import type { ConfigOf, ConfigSchema } from '@whetstone/platform';

import type { ReflectorPoolConfig } from './adapters/reflector-pool.js';
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
        'Jobs that are worked on at the same time; collections take turns. 0 accepts uploads and lets them wait.',
    },
    WHETSTONE_ANALYSIS_THREADS: {
      type: 'integer',
      minimum: 1,
      maximum: 64,
      default: 1,
      description: 'Worker threads that analyse; each takes one interaction at a time.',
    },
    WHETSTONE_ANALYSIS_MEMORY_MB: {
      type: 'integer',
      minimum: 64,
      default: 256,
      description: 'Memory that one analysis may use. One that needs more is a failed try.',
    },
    WHETSTONE_ANALYSIS_TIMEOUT_MS: {
      type: 'integer',
      minimum: 100,
      maximum: 240_000,
      default: 60_000,
      description: 'Time that one analysis may take. One that needs longer is a failed try.',
    },
    WHETSTONE_ATTEMPT_TIMEOUT_MS: {
      type: 'integer',
      minimum: 1000,
      maximum: 300_000,
      default: 300_000,
      description: 'Time that one attempt at a job, analysing and storing, may take. A longer one is a failed try.',
    },
    WHETSTONE_JOB_TRIES: {
      type: 'integer',
      minimum: 1,
      maximum: 10,
      default: 3,
      description: 'Tries at a job before it fails and its upload becomes a dead letter.',
    },
    WHETSTONE_JOB_GRACE_MS: {
      type: 'integer',
      minimum: 0,
      default: 5000,
      description: 'Time that jobs under way have to end when the analyser stops. What has not ended begins again.',
    },
    WHETSTONE_HOLDOUT_SHARE: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: 0,
      description:
        'Share of the requests with something to recommend that get their input back unchanged, to measure what ' +
        'recommendations are worth (`whetstone uplift`).',
    },
    WHETSTONE_GUARD_EFFECTS: {
      type: 'boolean',
      default: true,
      description:
        'Tell an action that destroys, connects out, installs, widens rights, disables a safeguard or persists only where the ' +
        'task asks for it or several runs agree (docs/safety.md).',
    },
    WHETSTONE_LONGEST_WAIT_MS: {
      type: 'integer',
      minimum: 100,
      maximum: 60_000,
      default: 5000,
      description: 'Longest pause before the analyser looks again whether a dependency that was away is back.',
    },
  },
} as const satisfies ConfigSchema;

export interface AnalyserConfig extends ProcessUploadConfig {
  /** Jobs worked on at the same time. */
  concurrency: number;
  /** How long jobs under way may go on when the analyser is told to stop. */
  stopGraceMs: number;
  reflector: ReflectorPoolConfig;
  /** Absent: the reflector learns. */
  model?: ModelConfig;
  enhance: EnhanceConfig;
}

const firstWaitMs = 100;
const idleMs = 60_000;

export function analyserConfigOf(values: ConfigOf<typeof analyserConfigSchema>): AnalyserConfig {
  const timeoutMs = values.WHETSTONE_ANALYSIS_TIMEOUT_MS;
  const model = modelConfigOf(values);
  // One answer, and one that mends it.
  const askingMs = model ? 2 * model.timeoutMs : 0;
  return {
    concurrency: values.WHETSTONE_ANALYSER_CONCURRENCY,
    stopGraceMs: values.WHETSTONE_JOB_GRACE_MS,
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
