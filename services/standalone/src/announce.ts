import { rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';

export interface Announcement {
  url: string;
  opsUrl: string;
  dataFolder: string;
  /** Set only when this start issued it. */
  firstKey: string | undefined;
  /** Whether `/docs` is served. */
  docs: boolean;
  /** Whether `/console` is served. */
  console: boolean;
}

/** The log line of a start without a terminal. */
export function announceInLog({ url, opsUrl, dataFolder }: Announcement): [fields: object, message: string] {
  return [{ url, opsUrl, dataFolder, issueKey: issueKeyCommand(dataFolder) }, `Listening on ${url}`];
}

function issueKeyCommand(dataFolder: string): string {
  return `whetstone keys issue --account NAME --approved-by NAME --reason TEXT --data '${dataFolder}'`;
}

/** What `npm start` prints on a terminal: where it listens, where the data is, and the first call to make. */
export function announce({ url, opsUrl, dataFolder, firstKey, docs, console }: Announcement): string {
  const lines = [
    '',
    `  Whetstone is listening on ${url}`,
    ...(console ? [`  Console             ${url}/console`] : []),
    ...(docs ? [`  API documentation   ${url}/docs`] : []),
    `  Health and metrics  ${opsUrl}/readyz  ${opsUrl}/metrics`,
    `  Data folder         ${dataFolder}`,
    '',
  ];
  if (firstKey === undefined) {
    lines.push('  To issue an API key (in a container, leave out npx):', '', `    npx ${issueKeyCommand(dataFolder)}`);
  } else {
    lines.push(
      '  Your first API key, shown only this once. In another terminal:',
      '',
      `    export WHETSTONE_KEY=${firstKey}`,
      `    curl -s ${url}/ -H "x-api-key: $WHETSTONE_KEY"`,
      '',
      ...(console ? ['  The same key signs in to the console.'] : []),
      '  The README continues from here. Ctrl-C stops the server; accepted uploads are kept.',
    );
  }
  return [...lines, ''].join('\n');
}

/** A URL that a person can click: the wildcard address is shown as localhost. */
export function urlOf(address: AddressInfo | undefined): string {
  if (!address) return '(not listening)';
  const host = ['0.0.0.0', '::'].includes(address.address) ? 'localhost' : address.address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

interface Addresses {
  url: string;
  opsUrl: string;
}

/** Tells programs that started the server on port 0 where it listens. */
export async function writeAddressFile(path: string, { url, opsUrl }: Addresses): Promise<void> {
  await writeFile(path, `${JSON.stringify({ url, ops_url: opsUrl, pid: process.pid }, null, 2)}\n`);
}

export async function removeAddressFile(path: string): Promise<void> {
  await rm(path, { force: true });
}
