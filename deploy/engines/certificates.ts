import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { lastLines, runProgram } from './processes.js';

/** A private authority, a server certificate for 127.0.0.1 and localhost, and a client certificate, all in PEM. */
export interface Certificates {
  ca: string;
  server: { cert: string; key: string };
  client: { cert: string; key: string };
}

/** Created with openssl on the first call for a folder and reused afterwards. For development and tests only. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made = await access(join(folder, 'client.crt')).then(
    () => true,
    () => false,
  );
  if (!made) {
    await openssl(folder, [...requestOf('ca', 'Whetstone development'), '-x509', '-days', '3650', '-out', 'ca.crt']);
    await issue(folder, 'server', 'subjectAltName=DNS:localhost,IP:127.0.0.1');
    await issue(folder, 'client', 'extendedKeyUsage=clientAuth');
  }
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const pair = async (name: string) => ({ cert: await read(`${name}.crt`), key: await read(`${name}.key`) });
  return { ca: await read('ca.crt'), server: await pair('server'), client: await pair('client') };
}

async function issue(folder: string, name: string, extension: string): Promise<void> {
  await writeFile(join(folder, `${name}.ext`), `${extension}\n`);
  await openssl(folder, [...requestOf(name, name), '-out', `${name}.csr`]);
  const signing = ['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'];
  await openssl(folder, [...signing, '-days', '3650', '-extfile', `${name}.ext`, '-out', `${name}.crt`]);
}

function requestOf(name: string, subject: string): string[] {
  return ['req', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`, '-subj', `/CN=${subject}`];
}

async function openssl(folder: string, args: string[]): Promise<void> {
  const { ok, output } = await runProgram('openssl', args, { cwd: folder });
  if (!ok) throw new Error(`openssl failed to create test certificates:\n${lastLines(output)}`);
}
