import { createSecureContext } from 'node:tls';

import { ChannelCredentials, ServerCredentials } from '@grpc/grpc-js';
import { AppError } from '@whetstone/platform';

/** PEM texts. Each side shows its own certificate and checks the other's against `ca`. */
export interface RpcTls {
  ca?: string;
  cert?: string;
  key?: string;
}

/** With a `ca`, callers have to show a certificate that it has signed. */
export function serverCredentials(tls: RpcTls | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  const { ca, cert, key } = tls;
  if (cert === undefined || key === undefined) {
    throw mistake('a server needs both WHETSTONE_GRPC_TLS_CERT and WHETSTONE_GRPC_TLS_KEY');
  }
  check(tls);
  const pair = { cert_chain: Buffer.from(cert), private_key: Buffer.from(key) };
  return ServerCredentials.createSsl(ca === undefined ? null : Buffer.from(ca), [pair], ca !== undefined);
}

/** Without a `ca`, the certificates that Node trusts decide. */
export function clientCredentials(tls: RpcTls | undefined): ChannelCredentials {
  if (!tls) return ChannelCredentials.createInsecure();
  const { ca, cert, key } = tls;
  if ((cert === undefined) !== (key === undefined)) {
    throw mistake('WHETSTONE_GRPC_TLS_CERT and WHETSTONE_GRPC_TLS_KEY come together or not at all');
  }
  check(tls);
  const bytes = (pem: string | undefined) => (pem === undefined ? null : Buffer.from(pem));
  return ChannelCredentials.createSsl(bytes(ca), bytes(key), bytes(cert));
}

function check({ ca, cert, key }: RpcTls): void {
  try {
    createSecureContext({ ca, cert, key });
  } catch (cause) {
    const variables = 'WHETSTONE_GRPC_TLS_CA, WHETSTONE_GRPC_TLS_CERT, WHETSTONE_GRPC_TLS_KEY';
    throw mistake(`what the variables hold (${variables}) cannot be used: ${(cause as Error).message}`, cause);
  }
}

function mistake(problem: string, cause?: unknown): AppError {
  return new AppError('invalid_argument', `TLS between services: ${problem}`, { cause });
}
