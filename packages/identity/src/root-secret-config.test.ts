import { loadConfig } from '@whetstone/platform';

import { rootSecretConfigSchema, rootSecretsOf } from './root-secret-config.js';
import { createRootSecrets } from './root-secrets.js';

const [now, before, earlier] = ['n'.repeat(40), 'b'.repeat(40), 'e'.repeat(40)];

describe('the root secret of a cluster', () => {
  it.each([
    ['commas', `${before},${earlier}`],
    ['commas and spaces', `${before}, ${earlier} `],
    ['lines', `${before}\n${earlier}\n`],
  ])('comes with previous ones, separated by %s', (_, previous) => {
    const roots = rootsOf({ WHETSTONE_ROOT_SECRET: now, WHETSTONE_PREVIOUS_ROOT_SECRETS: previous });

    expect(roots.current.id).toEqual(idOf(now));
    for (const secret of [before, earlier]) expect(roots.byId(idOf(secret))).toBeDefined();
  });

  it('needs no previous ones', () => {
    expect(rootsOf({ WHETSTONE_ROOT_SECRET: now }).current.id).toEqual(idOf(now));
  });

  it.each([
    ['absent', {}],
    ['too short', { WHETSTONE_ROOT_SECRET: 'short' }],
    ['not to be told from two', { WHETSTONE_ROOT_SECRET: `${now},${now}` }],
  ])('is refused by name when it is %s', (_, env) => {
    expect(() => rootsOf(env)).toThrow(/a mistake:\n {2}- WHETSTONE_ROOT_SECRET (is required|is malformed|must)/);
  });

  it('is refused with previous ones that are too short, and none is shown', () => {
    const env = { WHETSTONE_ROOT_SECRET: now, WHETSTONE_PREVIOUS_ROOT_SECRETS: `${before},short` };

    expect(() => rootsOf(env)).toThrow(/WHETSTONE_PREVIOUS_ROOT_SECRETS is malformed: Root secrets from before/);
    expect(() => rootsOf(env)).not.toThrow(/bbb|short/);
  });
});

function rootsOf(env: Record<string, string>) {
  return rootSecretsOf(loadConfig(rootSecretConfigSchema, env));
}

function idOf(secret: string): Buffer {
  return createRootSecrets(secret).current.id;
}
