import { Metadata } from '@grpc/grpc-js';
import { type CallContext, traceHeaders } from '@whetstone/platform';

const requestIdKey = 'x-request-id';
const tokenKey = 'whetstone-call-token';
const traceKeys = ['traceparent', 'tracestate'];
/** Logged. */
const acceptableId = /^[\w.-]{1,128}$/;

/** Metadata of a call: token, request id and trace. */
export function toMetadata(token: string, { requestId }: CallContext): Metadata {
  const metadata = new Metadata();
  metadata.set(tokenKey, token);
  if (requestId !== undefined) metadata.set(requestIdKey, requestId);
  for (const [name, value] of Object.entries(traceHeaders())) metadata.set(name, value);
  return metadata;
}

export function tokenOf(metadata: Metadata): string | undefined {
  return textOf(metadata, tokenKey);
}

export function requestIdOf(metadata: Metadata): string | undefined {
  const requestId = textOf(metadata, requestIdKey);
  return requestId !== undefined && acceptableId.test(requestId) ? requestId : undefined;
}

export function traceHeadersOf(metadata: Metadata): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const key of traceKeys) {
    const value = textOf(metadata, key);
    if (value !== undefined) headers[key] = value;
  }
  return headers;
}

function textOf(metadata: Metadata, key: string): string | undefined {
  const [value] = metadata.get(key);
  return typeof value === 'string' ? value : undefined;
}
