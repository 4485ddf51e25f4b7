import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

import type { RpcTls } from '../tls.js';

/**
 * Certificates for tests, made on the spot: nothing to expire in a repository, and no program that a machine may not have.
 * Just enough of X.509 for an authority and what it signs, on P-256.
 */
export interface Authority {
  pem: string;
  /** What one side of a connection shows; for 127.0.0.1 and localhost. */
  issue(): Required<RpcTls>;
}

export function createAuthority(name = 'Test authority'): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = certificate({ subject: name, issuer: name, publicKey, signer: privateKey, extensions: [isAuthority] });
  return {
    pem,
    issue() {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const cert = certificate({
        subject: 'Test service',
        issuer: name,
        publicKey: pair.publicKey,
        signer: privateKey,
        extensions: [isHere],
      });
      return { ca: pem, cert, key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
    },
  };
}

interface CertificateParts {
  subject: string;
  issuer: string;
  publicKey: KeyObject;
  signer: KeyObject;
  extensions: Buffer[];
}

const oids = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  basicConstraints: '551d13',
  subjectAltName: '551d11',
};

/** A tag, a length and what they are about. */
function der(tag: number, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)));
  const { length } = body;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), body]);
}

const sequence = (...parts: (Buffer | string)[]) => der(0x30, ...parts);
const octets = (content: Buffer) => der(0x04, content);
const bits = (content: Buffer) => der(0x03, '00', content);
const oid = (name: keyof typeof oids) => der(0x06, oids[name]);
const algorithm = sequence(oid('ecdsaWithSha256'));

const isAuthority = sequence(oid('basicConstraints'), der(0x01, 'ff'), octets(sequence(der(0x01, 'ff'))));
const isHere = sequence(
  oid('subjectAltName'),
  octets(sequence(der(0x87, '7f000001'), der(0x82, Buffer.from('localhost')))),
);

function named(name: string): Buffer {
  return sequence(der(0x31, sequence(oid('commonName'), der(0x0c, Buffer.from(name)))));
}

function moment(offsetMs: number): Buffer {
  const text = new Date(Date.now() + offsetMs).toISOString().replace(/[-:T]|\.\d+/g, '');
  return der(0x18, Buffer.from(text));
}

function certificate({ subject, issuer, publicKey, signer, extensions }: CertificateParts): string {
  const hourMs = 3_600_000;
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)]);
  const body = sequence(
    der(0xa0, der(0x02, '02')),
    der(0x02, serial),
    algorithm,
    named(issuer),
    sequence(moment(-hourMs), moment(hourMs)),
    named(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signed = sequence(body, algorithm, bits(sign('sha256', body, signer)));
  const lines = signed.toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
