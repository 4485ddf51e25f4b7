import { type ChannelOptions, Client, connectivityState, type ServiceError, status } from '@grpc/grpc-js';
import {
  AppError,
  type CallContext,
  type ConfigOf,
  isAppError,
  type Registry,
  type Span,
  withSpan,
} from '@whetstone/platform';

import { toMetadata } from '../call-metadata.js';
import type { CallTokens } from '../call-tokens.js';
import { keepalive, maxMessageBytes, type Pings } from '../channel-options.js';
import { readDetails } from '../error-details.js';
import { type peerConfigSchemas, type rpcTlsConfigSchema, rpcTlsOf } from '../rpc-config.js';
import { observeCalls } from '../rpc-metrics.js';
import {
  type AnyMethod,
  callees,
  isRepeatable,
  type MethodName,
  methodsOf,
  namesOf,
  type RequestTo,
  type ResultFrom,
  type RpcServiceName,
} from '../rpc-services.js';
import { clientCredentials, type RpcTls } from '../tls.js';
import { FailedCall, sendOnceAcknowledged, sendUntilArrival } from './send-until-arrival.js';

export interface RpcClientOptions {
  /** gRPC target: `dns:///host:port` for all addresses of a name, `ipv4:a:p,b:p` for a list. */
  target: string;
  tls?: RpcTls | undefined;
  tokens: CallTokens;
  registry: Registry;
  pings?: Pings | undefined;
  /** How long a call that must not be repeated is sent again while it cannot have arrived. */
  arrivalMs?: number;
}

/** A client of another service, with load-balanced connections. */
export interface RpcClient<Name extends RpcServiceName> {
  /**
   * Rejects with the AppError that the service answered with, or with the retryable `unavailable` code of the service if it
   * did not answer. Takes no longer than the caller's deadline, or the method's timeout without one. Aborting the signal
   * also cancels the work in the service.
   */
  call<Method extends MethodName<Name>>(
    method: Method,
    request: RequestTo<Name, Method>,
    call: CallContext,
  ): Promise<ResultFrom<Name, Method>>;
  /** Whether the service seems reachable. For health reports only, never for decisions. */
  healthy(): boolean;
  close(): void;
}

/** The longest pause between two attempts to connect. */
const reconnectMs = 1000;
/** A restarted service is back by then. */
const usualArrivalMs = 5 * reconnectMs;

const asItIs = (bytes: Buffer) => bytes;

/** Connects at once, and keeps trying while the service is away. */
export function createRpcClient<Name extends RpcServiceName>(
  callee: Name,
  { target, tls, tokens, registry, pings, arrivalMs = usualArrivalMs }: RpcClientOptions,
): RpcClient<Name> {
  const methods = methodsOf(callee);
  const timeoutsMs: Record<string, number> = callees[callee].timeoutsMs;
  const observe = observeCalls(registry, 'client', methods.values());
  const client = new Client(target, clientCredentials(tls), channelOptions(methods.values(), pings));
  client.getChannel().getConnectivityState(true);

  async function call(name: string, request: unknown, context: CallContext): Promise<unknown> {
    const method = methods.get(name);
    if (!method) throw new AppError('internal', `The ${callee} has no method ${name}`);
    const { service } = namesOf(method);
    const attributes = { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': name };
    return withSpan(method.path.slice(1), { kind: 'client', attributes }, async (span) => {
      const message = method.requestSerialize(request);
      if (message.length > maxMessageBytes) throw tooLarge(callee, message.length);
      const bytes = await deliver(method, message, context, span);
      try {
        return method.responseDeserialize(bytes);
      } catch (cause) {
        throw unreadableAnswer(callee, cause);
      }
    });
  }

  /** All attempts count as one call, with one deadline. */
  async function deliver(method: AnyMethod, message: Buffer, context: CallContext, span: Span): Promise<Buffer> {
    const { signal, deadline = Date.now() + (timeoutsMs[namesOf(method).method] ?? 0) } = context;
    const begun = performance.now();
    const end = (code: status) => {
      span.set({ 'rpc.response.status_code': status[code] });
      observe(method, code, (performance.now() - begun) / 1000);
    };
    const attempt = () => send(method, message, { ...context, deadline });
    const withinMs = Math.min(arrivalMs, deadline - Date.now());
    try {
      const answer = await (isRepeatable(method)
        ? attempt()
        : sendUntilArrival({ client, send: attempt, withinMs, signal }));
      end(status.OK);
      return answer;
    } catch (failure) {
      const { error } = failure instanceof FailedCall ? failure : { error: undefined };
      end(error?.code ?? status.UNAVAILABLE);
      throw error ? errorOfCall(callee, error, context) : notCalled(callee, failure);
    }
  }

  function send(method: AnyMethod, message: Buffer, context: CallContext & { deadline: number }): Promise<Buffer> {
    const { signal, deadline } = context;
    return new Promise((resolve, reject) => {
      const cancel = () => sent.cancel();
      const onEnd = (error: ServiceError | null, answer?: Buffer, messageSent = true) => {
        signal?.removeEventListener('abort', cancel);
        if (answer) resolve(answer);
        else reject(new FailedCall(error as ServiceError, messageSent));
      };
      const { path } = method;
      const metadata = toMetadata(tokens.issue(path), context);
      const options = { deadline };
      const sent = isRepeatable(method)
        ? client.makeUnaryRequest(path, asItIs, asItIs, message, metadata, options, (error, answer) =>
            onEnd(error, answer),
          )
        : sendOnceAcknowledged(client, { path, message, metadata, options, onEnd });
      if (signal?.aborted) cancel();
      else signal?.addEventListener('abort', cancel, { once: true });
    });
  }

  return {
    call: call as RpcClient<Name>['call'],
    healthy: () => client.getChannel().getConnectivityState(false) !== connectivityState.TRANSIENT_FAILURE,
    close: () => client.close(),
  };
}

function channelOptions(methods: Iterable<AnyMethod>, pings: Pings | undefined): ChannelOptions {
  return {
    'grpc.service_config': serviceConfigOf(methods),
    // No configuration by TXT records or proxy variables.
    'grpc.service_config_disable_resolution': 1,
    'grpc.enable_http_proxy': 0,
    'grpc.max_send_message_length': maxMessageBytes,
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.per_rpc_retry_buffer_size': maxMessageBytes,
    'grpc.retry_buffer_size': 8 * maxMessageBytes,
    ...keepalive(pings),
    // Reconnects before repeatable calls are given up.
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': reconnectMs,
    'grpc.dns_min_time_between_resolutions_ms': reconnectMs,
  };
}

/** A client of the service at its configured address. */
export function connectTo<Name extends RpcServiceName>(
  callee: Name,
  config: ConfigOf<(typeof peerConfigSchemas)[Name]> & ConfigOf<typeof rpcTlsConfigSchema>,
  { tokens, registry }: Pick<RpcClientOptions, 'tokens' | 'registry'>,
): RpcClient<Name> {
  const addresses = config as unknown as Record<string, string>;
  const target = addresses[`WHETSTONE_${callee.toUpperCase()}_ADDRESS`] ?? '';
  return createRpcClient(callee, { target, tls: rpcTlsOf(config), tokens, registry });
}

/**
 * Round-robin over all addresses of the target. Only methods whose proto marks them as idempotent are retried, and only
 * if the service itself did not answer.
 */
function serviceConfigOf(methods: Iterable<AnyMethod>): string {
  const repeatable = [...methods].filter(isRepeatable);
  return JSON.stringify({
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: repeatable.map((rpc) => ({
      name: [namesOf(rpc)],
      retryPolicy: {
        maxAttempts: 5,
        initialBackoff: '0.1s',
        maxBackoff: '1s',
        backoffMultiplier: 2,
        retryableStatusCodes: ['UNAVAILABLE'],
      },
    })),
    // While most calls fail, retrying all of them would keep a recovering service down.
    retryThrottling: { maxTokens: 100, tokenRatio: 0.5 },
  });
}

/**
 * The error of a failed call.
 *
 * What carries details is what the service itself said, word for word. Everything else came from something in between:
 * a connection, a proxy, a process that is no service of ours. Then the callee is away, which waiting may mend, unless
 * the caller itself has ended the call.
 */
function errorOfCall(callee: RpcServiceName, error: ServiceError, { signal, deadline }: CallContext): AppError {
  if (signal?.aborted) return reasonOf(signal);
  const { code, details } = error;
  const told = readDetails(error.metadata);
  // A service that aborts a call because it stops has not answered either.
  if (told && told.code !== 'cancelled') return told;
  if (code === status.DEADLINE_EXCEEDED && deadline !== undefined) {
    return new AppError('deadline_exceeded', `The ${callee} did not answer in time`, { cause: error });
  }
  // Another root secret or a wrong clock: both are mended without a change here.
  const problem = code === status.UNAUTHENTICATED ? `refuses calls from here: ${details}` : 'does not answer';
  return new AppError(callees[callee].unavailable, `The ${callee} ${problem}`, { retryable: true, cause: error });
}

function reasonOf({ reason }: AbortSignal): AppError {
  return isAppError(reason) ? reason : new AppError('cancelled', 'The call was cancelled', { cause: reason });
}

/** The client is closed: its process stops. */
function notCalled(callee: RpcServiceName, cause: unknown): AppError {
  return new AppError(callees[callee].unavailable, `The ${callee} can no longer be called`, { retryable: true, cause });
}

function tooLarge(callee: RpcServiceName, bytes: number): AppError {
  return new AppError('too_large', `The call to the ${callee} has ${bytes} bytes, more than ${maxMessageBytes}`);
}

function unreadableAnswer(callee: RpcServiceName, cause: unknown): AppError {
  return new AppError('internal', `The answer of the ${callee} cannot be decoded`, { cause });
}
