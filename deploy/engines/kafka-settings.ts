import { join } from 'node:path';

import type { Certificates } from './certificates.js';

export interface Listener {
  name: string;
  protocol: 'PLAINTEXT' | 'SSL' | 'SASL_PLAINTEXT' | 'SASL_SSL';
  port: number;
  /** Settings of this listener alone, without its prefix. */
  settings?: Record<string, string>;
}

export interface ServerOptions {
  dataFolder: string;
  /** Advertised to clients. */
  host: string;
  controllerPort: number;
  listeners: readonly Listener[];
  /** Override the defaults. */
  settings?: Record<string, string>;
}

/** A single broker that is its own controller, quick to start and to recover after kill −9. */
export function serverProperties({ dataFolder, host, controllerPort, listeners, settings }: ServerOptions): string {
  const all = [...listeners, { name: 'CONTROLLER', protocol: 'PLAINTEXT', port: controllerPort } satisfies Listener];
  const addressOf = (name: string) => (name === 'CONTROLLER' ? '127.0.0.1' : host);
  const properties: Record<string, string> = {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'log.dirs': dataFolder,
    'controller.quorum.bootstrap.servers': `127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': (listeners[0] as Listener).name,
    listeners: all.map(({ name, port }) => `${name}://${addressOf(name)}:${port}`).join(','),
    'listener.security.protocol.map': all.map(({ name, protocol }) => `${name}:${protocol}`).join(','),
    'auto.create.topics.enable': 'false',
    'offsets.topic.replication.factor': '1',
    // The default of 50 takes seconds to create when the first consumer joins.
    'offsets.topic.num.partitions': '4',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'share.coordinator.state.topic.replication.factor': '1',
    'share.coordinator.state.topic.min.isr': '1',
    'group.initial.rebalance.delay.ms': '0',
    // A killed broker can rejoin only after the controller has expired its old session.
    'broker.session.timeout.ms': '2000',
    'broker.heartbeat.interval.ms': '500',
    // The default takes half of the small heap.
    'log.cleaner.dedupe.buffer.size': '16777216',
  };
  for (const { name, settings: own = {} } of listeners) {
    for (const [key, value] of Object.entries(own)) properties[`listener.name.${name.toLowerCase()}.${key}`] = value;
  }
  const lines = Object.entries({ ...properties, ...settings }).map(([key, value]) => `${key}=${escaped(value)}`);
  return `${lines.join('\n')}\n`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

export interface Credentials {
  username: string;
  password: string;
}

/** How to connect to each of the secured listeners. All SASL mechanisms know the same user. */
export interface SecuredKafka extends Credentials {
  /** TLS without a client certificate. */
  tls: string[];
  /** TLS with a client certificate. */
  mutualTls: string[];
  /** PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512 without TLS. */
  sasl: string[];
  /** The same with TLS. */
  saslTls: string[];
  certificates: Certificates;
}

export const securedListenerCount = 4;

export function securedListeners(folder: string, ports: readonly number[], credentials: Credentials): Listener[] {
  const [tls, mutualTls, sasl, saslTls] = ports as [number, number, number, number];
  const encrypted = {
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': join(folder, keystoreFile),
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': join(folder, 'ca.crt'),
  };
  const authenticated = saslSettings(credentials);
  return [
    { name: 'TLS', protocol: 'SSL', port: tls, settings: encrypted },
    {
      name: 'MUTUAL_TLS',
      protocol: 'SSL',
      port: mutualTls,
      settings: { ...encrypted, 'ssl.client.auth': 'required' },
    },
    { name: 'SASL', protocol: 'SASL_PLAINTEXT', port: sasl, settings: authenticated },
    { name: 'SASL_TLS', protocol: 'SASL_SSL', port: saslTls, settings: { ...encrypted, ...authenticated } },
  ];
}

/** Kafka wants the key and its certificates in one file. */
export const keystoreFile = 'keystore.pem';

export function keystoreOf({ ca, server }: Certificates): string {
  return `${server.key}\n${server.cert}\n${ca}`;
}

/** Arguments of `StorageTool format`, so that SCRAM knows the user from the first start. */
export function scramArguments({ username, password }: Credentials): string[] {
  return ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
    '--add-scram',
    `${mechanism}=[name=${username},password=${password}]`,
  ]);
}

function saslSettings({ username, password }: Credentials): Record<string, string> {
  const modules = 'org.apache.kafka.common.security';
  return {
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    'plain.sasl.jaas.config': `${modules}.plain.PlainLoginModule required user_${username}="${password}";`,
    'scram-sha-256.sasl.jaas.config': `${modules}.scram.ScramLoginModule required;`,
    'scram-sha-512.sasl.jaas.config': `${modules}.scram.ScramLoginModule required;`,
  };
}
