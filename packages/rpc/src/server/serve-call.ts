import { setImmediate as afterWriting } from 'node:timers/promises';
import { type ServerErrorResponse, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import {
  AppError,
  type CallContext,
  isAppError,
  type Logger,
  withRequestId,
  withSpan,
  withTraceFrom,
} from '@whetstone/platform';
import { requestIdOf, traceHeadersOf } from '../call-metadata.js';
import { maxMessageBytes } from '../channel-options.js';
import { detailsOf, statusOfCode } from '../error-details.js';
import type { ObserveCall } from '../rpc-metrics.js';
import {
  type AnyMethod,
  isRepeatable,
  methodsOf,
  namesOf,
  type RpcHandlers,
  type RpcServiceName,
} from '../rpc-services.js';
import type { OpenCalls } from './open-calls.js';

export type AnyHandler = (request: unknown, call: CallContext) => Promise<unknown>;

/** A service: each method with its handler. */
export interface RpcService {
  name: RpcServiceName;
  methods: { method: AnyMethod; handler: AnyHandler }[];
}

export function rpcService<Name extends RpcServiceName>(name: Name, handlers: RpcHandlers<Name>): RpcService {
  const byName = handlers as unknown as Record<string, AnyHandler>;
  const methods = [...methodsOf(name)].map(([methodName, method]) => ({
    method,
    handler: byName[methodName] as AnyHandler,
  }));
  return { name, methods };
}

interface ServeCallDeps {
  logger: Logger;
  observe: ObserveCall;
  openCalls: OpenCalls;
}

type Call = ServerUnaryCall<Buffer, Buffer>;

/** Handles every call to one method. Messages arrive and leave as bytes, so that coding errors are handled here. */
export function serveCall(method: AnyMethod, handler: AnyHandler, { logger, observe, openCalls }: ServeCallDeps) {
  const names = namesOf(method);
  const repeatable = isRepeatable(method);
  const attributes = { 'rpc.system': 'grpc', 'rpc.service': names.service, 'rpc.method': names.method };
  const log = logger.child({ rpc_service: names.service, rpc_method: names.method });

  return (call: Call, respond: sendUnaryData<Buffer>): void => void serve(call, respond);

  async function serve(call: Call, respond: sendUnaryData<Buffer>): Promise<void> {
    const open = openCalls.add({ repeatable });
    try {
      const answered = withTraceFrom(traceHeadersOf(call.metadata), () =>
        withRequestId(requestIdOf(call.metadata), () => answer(call, open)),
      );
      const result = await answered.catch(failureOf);
      if (Buffer.isBuffer(result)) respond(null, result);
      else respond(result);
      await sent(call);
    } finally {
      openCalls.delete(open);
    }
  }

  function answer(call: Call, open: AbortController): Promise<Buffer | FailedCall> {
    return withSpan(method.path.slice(1), { kind: 'server', attributes }, async (span) => {
      const begun = performance.now();
      const cancel = () => open.abort(endOf(call));
      call.on('cancelled', cancel);
      if (call.cancelled) cancel();
      let code: status = status.OK;
      let problem: unknown;
      try {
        return await run(call, open.signal);
      } catch (error) {
        problem = error;
        const failure = openCalls.stopped(open) ? stoppedCall() : failureOf(call.cancelled ? endOf(call) : error);
        code = failure.code;
        if (isFault(code)) span.fail(failure.details ?? '');
        return failure;
      } finally {
        // Emitted at the end of every call, also of a successful one.
        call.off('cancelled', cancel);
        const seconds = (performance.now() - begun) / 1000;
        span.set({ 'rpc.response.status_code': status[code] });
        observe(method, code, seconds);
        tell(code, seconds, problem);
      }
    });
  }

  async function run(call: Call, signal: AbortSignal): Promise<Buffer> {
    const deadline = Number(call.getDeadline());
    const requestId = requestIdOf(call.metadata);
    const context: CallContext = {
      signal,
      ...(Number.isFinite(deadline) ? { deadline } : {}),
      ...(requestId === undefined ? {} : { requestId }),
    };
    const result = method.responseSerialize(await handler(requestOf(call.request), context));
    if (result.length > maxMessageBytes) throw new AppError('too_large', `The answer has ${result.length} bytes`);
    return result;
  }

  function requestOf(bytes: Buffer): unknown {
    try {
      return method.requestDeserialize(bytes);
    } catch (cause) {
      throw new AppError('invalid_argument', 'The request cannot be read', { cause });
    }
  }

  /** The cause of a failure is logged here and never leaves this process. */
  function tell(code: status, seconds: number, problem: unknown): void {
    const level = !isFault(code) ? 'debug' : isAppError(problem) && problem.code !== 'internal' ? 'warn' : 'error';
    const line = { status: status[code], duration_ms: Math.round(seconds * 1e6) / 1000 };
    log[level](problem === undefined ? line : { ...line, err: problem }, 'call');
  }
}

/** Resolves once the answer is written, ahead of whatever is sent after it. */
async function sent(call: Call): Promise<void> {
  if (!call.cancelled) await new Promise<void>((resolve) => call.once('cancelled', () => resolve()));
  await afterWriting();
}

/** Why the call was cancelled. */
function endOf(call: Call): AppError {
  // A timer may be a millisecond ahead of the clock.
  return Date.now() + 1 >= Number(call.getDeadline())
    ? new AppError('deadline_exceeded', 'The time for the call is over')
    : new AppError('cancelled', 'The caller went away');
}

/** A failed call as a gRPC status. */
export type FailedCall = ServerErrorResponse & { code: status };

/** Any error but an AppError is a bug of this service; its caller learns no more than that. */
export function failureOf(error: unknown): FailedCall {
  const told = isAppError(error) ? error : new AppError('internal', 'Something went wrong there');
  return { ...reply(statusOfCode[told.code], told.message), metadata: detailsOf(told) };
}

/** For calls that the stop of this server ends: another replica answers them. Has no details; only real answers do. */
function stoppedCall(): FailedCall {
  return reply(status.UNAVAILABLE, 'The server stops');
}

function reply(code: status, details: string): FailedCall {
  // For people with a command-line client. It goes into a header, where a lone surrogate would throw: the trip through
  // bytes mends it.
  const text = Buffer.from(details.slice(0, 200)).toString();
  return { name: 'ServiceError', message: text, code, details: text };
}

/** Whether the service is at fault rather than its caller. */
function isFault(code: status): boolean {
  return [status.INTERNAL, status.UNAVAILABLE, status.UNKNOWN, status.UNIMPLEMENTED, status.DATA_LOSS].includes(code);
}
