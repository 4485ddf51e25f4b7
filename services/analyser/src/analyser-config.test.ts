import { type Environment, loadConfig } from '@whetstone/platform';

import { analyserConfigOf, analyserConfigSchema } from './analyser-config.js';

describe('the analyser configuration', () => {
  it('allows five minutes per attempt by default, one of them for analysis', () => {
    const { reflector, storingTimeoutMs } = configFrom({});

    expect(reflector.timeoutMs).toBe(60_000);
    expect(reflector.timeoutMs + storingTimeoutMs).toBe(300_000);
  });

  it('leaves time for two answers of a model', () => {
    const env = {
      WHETSTONE_MODEL_NAME: 'm',
      WHETSTONE_MODEL_BASE_URL: 'http://localhost/v1',
      WHETSTONE_MODEL_TIMEOUT_MS: '70000',
    };
    const { model, reflector, storingTimeoutMs } = configFrom(env);

    expect(model).toMatchObject({ name: 'm', timeoutMs: 70_000 });
    expect(reflector.timeoutMs + 2 * 70_000 + storingTimeoutMs).toBe(300_000);
  });

  it('reads the environment', () => {
    const env = { WHETSTONE_JOB_TRIES: '5', WHETSTONE_ANALYSIS_THREADS: '2', WHETSTONE_ANALYSER_CONCURRENCY: '4' };

    expect(configFrom(env)).toMatchObject({
      maxTries: 5,
      concurrency: 4,
      reflector: { threads: 2 },
    });
  });

  it('holds out nothing by default, or the configured share', () => {
    expect(configFrom({}).enhance.holdoutShare).toBe(0);
    expect(configFrom({ WHETSTONE_HOLDOUT_SHARE: '0.1' }).enhance.holdoutShare).toBe(0.1);
    expect(() => configFrom({ WHETSTONE_HOLDOUT_SHARE: '10' })).toThrow(/WHETSTONE_HOLDOUT_SHARE/);
  });

  it('guards effects by default', () => {
    expect(configFrom({}).enhance.guardEffects).toBe(true);
    expect(configFrom({ WHETSTONE_GUARD_EFFECTS: 'false' }).enhance.guardEffects).toBe(false);
  });

  it('names every invalid value', () => {
    const env = { WHETSTONE_JOB_TRIES: '0', WHETSTONE_ANALYSIS_THREADS: 'many' };

    expect(() => configFrom(env)).toThrow(/WHETSTONE_ANALYSIS_THREADS/);
    expect(() => configFrom(env)).toThrow(/WHETSTONE_JOB_TRIES/);
  });
});

function configFrom(env: Environment) {
  const values = loadConfig(analyserConfigSchema, env);
  return analyserConfigOf(values);
}
