import { loadConfig } from '@whetstone/platform';

import { kafkaConfigOf, kafkaConfigSchema } from './kafka-config.js';

const brokers = { WHETSTONE_KAFKA_BROKERS: 'one:9092, two:9093' };

describe('the configuration of Kafka', () => {
  it('needs nothing but brokers', () => {
    expect(read(brokers)).toEqual({ brokers: ['one:9092', 'two:9093'], sessionTimeoutMs: 6000 });
    expect(() => read({})).toThrow('WHETSTONE_KAFKA_BROKERS is required');
    expect(() => read({ WHETSTONE_KAFKA_BROKERS: 'one' })).toThrow(
      /WHETSTONE_KAFKA_BROKERS is malformed \("one"\).*host:port/,
    );
  });

  it('takes IPv6 addresses in brackets', () => {
    const mixed = { WHETSTONE_KAFKA_BROKERS: '[fd00::a:1]:9092,[::ffff:10.0.0.1]:9092, three:9094' };
    expect(read(mixed).brokers).toEqual(['[fd00::a:1]:9092', '[::ffff:10.0.0.1]:9092', 'three:9094']);
    for (const wrong of ['fd00::a:1:9092', '[fd00::a:1]', '[one]:9092', 'one]:9092', '[::1]:9092,::1:9092'])
      expect(() => read({ WHETSTONE_KAFKA_BROKERS: wrong })).toThrow('WHETSTONE_KAFKA_BROKERS is malformed');
  });

  it('takes the session timeout of consumers', () => {
    expect(read({ ...brokers, WHETSTONE_KAFKA_SESSION_TIMEOUT_MS: '30000' }).sessionTimeoutMs).toBe(30_000);
    expect(() => read({ ...brokers, WHETSTONE_KAFKA_SESSION_TIMEOUT_MS: '6' })).toThrow('SESSION_TIMEOUT_MS');
  });

  it('takes TLS and a login', () => {
    const secured = {
      ...brokers,
      WHETSTONE_KAFKA_TLS: 'true',
      WHETSTONE_KAFKA_TLS_CA: 'the authority',
      WHETSTONE_KAFKA_SASL_MECHANISM: 'scram-sha-512',
      WHETSTONE_KAFKA_SASL_USERNAME: 'whetstone',
      WHETSTONE_KAFKA_SASL_PASSWORD: 'secret',
    };

    expect(read(secured)).toEqual({
      brokers: ['one:9092', 'two:9093'],
      tls: { ca: 'the authority' },
      sasl: { mechanism: 'scram-sha-512', username: 'whetstone', password: 'secret' },
      sessionTimeoutMs: 6000,
    });
  });

  it('names everything that does not fit together', () => {
    const odd = { ...brokers, WHETSTONE_KAFKA_TLS_CA: 'the authority', WHETSTONE_KAFKA_SASL_MECHANISM: 'plain' };

    expect(() => read(odd)).toThrow(/TLS_CA is set.*SASL_USERNAME is required.*SASL_PASSWORD is required/s);
    expect(() => read({ ...brokers, WHETSTONE_KAFKA_SASL_USERNAME: 'whetstone' })).toThrow('SASL_MECHANISM is not');
    expect(() => read({ ...brokers, WHETSTONE_KAFKA_TLS: 'true', WHETSTONE_KAFKA_TLS_CERT: 'a certificate' })).toThrow(
      'WHETSTONE_KAFKA_TLS_KEY is not',
    );
  });
});

function read(env: Record<string, string>) {
  return kafkaConfigOf(loadConfig(kafkaConfigSchema, env));
}
