import type { AddressInfo, Server } from 'node:net';

import { AppError } from './app-error.js';

export interface ListenOptions {
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** Variables that set this host and port, for error messages. */
  variables: { host: string; port: string };
}

/** Resolves with the address once it accepts connections. Rejects with a message that says which variable to change. */
export async function listen(server: Server, options: ListenOptions): Promise<AddressInfo> {
  const { host, port } = options;
  await new Promise<void>((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(listenError(options, error));
    server.once('error', onError);
    server.listen({ host, port }, () => {
      server.off('error', onError);
      resolve();
    });
  });
  return server.address() as AddressInfo;
}

/** The error for an address that cannot be used: which variables to change, and how. */
export function listenError(options: ListenOptions, cause: NodeJS.ErrnoException): AppError {
  return new AppError('invalid_argument', problemOf(options, cause), { cause });
}

function problemOf({ host, port, variables }: ListenOptions, { code, message }: NodeJS.ErrnoException): string {
  const other = `${variables.port}=${port < 65_535 ? port + 1 : 8080}`;
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is taken by another program; choose another (${other})`;
  if (code === 'EACCES')
    return `Port ${port} needs privileges that this process lacks; choose one above 1023 (${variables.port})`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${host} to listen on (${variables.host})`;
  return `Cannot listen on ${host} port ${port} (${variables.host}, ${variables.port}): ${message}`;
}
