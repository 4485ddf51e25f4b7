import { join } from 'node:path';

import type { Certificates } from './certificates.js';
import type { Listener } from './server-properties.js';

export interface Credentials {
  username: string;
  password: string;
}

/** How to come in by each of the further listeners. Every SASL mechanism knows the same user. */
export interface SecuredKafka extends Credentials {
  /** TLS, and nothing asked of the client. */
  tls: string[];
  /** TLS with a certificate of the client's own. */
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

/** What `StorageTool format` is told, so that SCRAM knows the user from the first start on. */
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
