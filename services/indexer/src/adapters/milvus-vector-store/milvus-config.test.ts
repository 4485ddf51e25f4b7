import { loadConfig } from '@whetstone/platform';

import { milvusConfigOf, milvusConfigSchema } from './milvus-config.js';

const address = { WHETSTONE_MILVUS_ADDRESS: 'milvus:19530' };
const configOf = (env: Record<string, string>) =>
  milvusConfigOf(loadConfig(milvusConfigSchema, { ...address, ...env }));

describe('the Milvus configuration', () => {
  it('needs only an address', () => {
    expect(configOf({})).toEqual({
      address: 'milvus:19530',
      database: 'default',
      shards: 8,
      vectorIndex: 'FLAT',
      searchConsistency: 'strong',
      timeoutMs: 8_000,
    });
    expect(() => milvusConfigOf(loadConfig(milvusConfigSchema, {}))).toThrow('WHETSTONE_MILVUS_ADDRESS is required');
  });

  it('accepts a user name and password or a token, and TLS', () => {
    expect(configOf({ WHETSTONE_MILVUS_USERNAME: 'root', WHETSTONE_MILVUS_PASSWORD: 'x' }).credentials).toEqual({
      username: 'root',
      password: 'x',
    });
    expect(configOf({ WHETSTONE_MILVUS_TOKEN: 'root:x' }).credentials).toEqual({ token: 'root:x' });
    expect(configOf({ WHETSTONE_MILVUS_TLS: 'true' }).tls).toEqual({});
    expect(configOf({ WHETSTONE_MILVUS_TLS: 'true', WHETSTONE_MILVUS_TLS_CA: 'PEM' }).tls).toEqual({ ca: 'PEM' });
  });

  it('rejects contradictions', () => {
    const contradictions: [Record<string, string>, string][] = [
      [{ WHETSTONE_MILVUS_USERNAME: 'root' }, 'WHETSTONE_MILVUS_PASSWORD go together'],
      [{ WHETSTONE_MILVUS_PASSWORD: 'x' }, 'WHETSTONE_MILVUS_PASSWORD go together'],
      [{ WHETSTONE_MILVUS_USERNAME: 'root', WHETSTONE_MILVUS_TOKEN: 't' }, 'not both'],
      [{ WHETSTONE_MILVUS_TLS_CA: 'PEM' }, 'WHETSTONE_MILVUS_TLS is not true'],
    ];
    for (const [env, message] of contradictions) expect(() => configOf(env)).toThrow(message);
    for (const wrong of ['milvus', 'http://milvus:19530', 'milvus:19530/db', ':19530', 'milvus:port']) {
      expect(() => configOf({ WHETSTONE_MILVUS_ADDRESS: wrong })).toThrow(`not "${wrong}"`);
    }
    for (const right of ['10.0.0.1:19530', '[::1]:19530', 'milvus.data.svc.cluster.local:443']) {
      expect(configOf({ WHETSTONE_MILVUS_ADDRESS: right }).address).toBe(right);
    }
  });
});
