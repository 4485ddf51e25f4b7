import type { AddressInfo } from 'node:net';

export interface Announcement {
  url: string;
  opsUrl: string;
  dataFolder: string;
  /** Only at the very first start. */
  firstKey: string | undefined;
  /** Whether the interactive documentation is served. */
  docs: boolean;
}

/** What a person reads after `npm start`: where it listens, where the data is, and the first call to make. */
export function announce({ url, opsUrl, dataFolder, firstKey, docs }: Announcement): string {
  const lines = [
    '',
    `  Whetstone is listening on ${url}`,
    ...(docs ? [`  interactive documentation  ${url}/docs`] : []),
    `  health and metrics         ${opsUrl}/readyz  ${opsUrl}/metrics`,
    `  data                       ${dataFolder}`,
  ];
  if (firstKey === undefined) {
    lines.push('', '  Keys are shown once. Another one: npx whetstone keys issue --help', '');
  } else {
    lines.push(
      '',
      '  Your first key, shown this once:',
      '',
      `    export WHETSTONE_KEY=${firstKey}`,
      '',
      '  The first call, in another terminal:',
      '',
      `    curl -s ${url}/ -H "x-api-key: $WHETSTONE_KEY"`,
      '',
      '  The README goes on from there. Ctrl-C stops the server; nothing that was accepted is lost.',
      '',
    );
  }
  return lines.join('\n');
}

export interface Listening {
  gateway: { readonly address: AddressInfo | undefined };
  opsAddress: AddressInfo;
  folder: string;
  docs: boolean;
  firstKey: string | undefined;
}

export function announcementOf({ gateway, opsAddress, folder, docs, firstKey }: Listening): Announcement {
  return { url: urlOf(gateway.address), opsUrl: urlOf(opsAddress), dataFolder: folder, docs, firstKey };
}

/** An address that a person can click: one that means "everywhere" is shown as this machine. */
function urlOf(address: AddressInfo | undefined): string {
  if (!address) return '(not listening)';
  const host = ['0.0.0.0', '::'].includes(address.address) ? 'localhost' : address.address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}
