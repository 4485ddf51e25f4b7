import type { CallContext, ErrorCode } from '@whetstone/platform';

import { createWire, type UnaryMethod, type Wire } from './wire.js';

/** Services with a gRPC interface. */
export type RpcServiceName = keyof Wire;
export type MethodName<Name extends RpcServiceName> = keyof Wire[Name] & string;

type RequestOf<Method> = Method extends UnaryMethod<infer Request, infer _> ? Request : never;
type ResultOf<Method> = Method extends UnaryMethod<infer _, infer Result> ? Result : never;

export type RequestTo<Name extends RpcServiceName, Method extends MethodName<Name>> = RequestOf<Wire[Name][Method]>;
export type ResultFrom<Name extends RpcServiceName, Method extends MethodName<Name>> = ResultOf<Wire[Name][Method]>;

/** One function per method of the proto. */
export type RpcHandlers<Name extends RpcServiceName> = {
  [Method in MethodName<Name>]: (
    request: RequestTo<Name, Method>,
    call: CallContext,
  ) => Promise<ResultFrom<Name, Method>>;
};

/** A method without its message types. */
export type AnyMethod = UnaryMethod<unknown, unknown>;

interface CalleeTraits<Name extends RpcServiceName> {
  /** Error code while it is unreachable; always retryable. */
  unavailable: ErrorCode;
  /** Timeout of calls without a deadline. */
  timeoutsMs: Record<MethodName<Name>, number>;
}

export const callees: { [Name in RpcServiceName]: CalleeTraits<Name> } = {
  analyser: { unavailable: 'analyser_unavailable', timeoutsMs: { Enhance: 10_000 } },
  indexer: {
    unavailable: 'store_unavailable',
    timeoutsMs: {
      Search: 10_000,
      GetRuns: 10_000,
      Replace: 60_000,
      FindDeletedRuns: 10_000,
      DescribeCollections: 10_000,
      DeleteByIntent: 60_000,
      EraseCollection: 60_000,
      ListLessons: 10_000,
      GetLesson: 10_000,
      DecideLesson: 10_000,
      DeleteLesson: 60_000,
      WriteLesson: 10_000,
      GiveFeedback: 10_000,
      GetOutcomes: 60_000,
      GetSettings: 10_000,
      ChangeSettings: 10_000,
    },
  },
  status: {
    unavailable: 'status_unavailable',
    timeoutsMs: { GetJob: 10_000, ListRuns: 10_000, CountRuns: 10_000, ListAudit: 10_000, GetUsage: 10_000 },
  },
};

export function methodsOf(name: RpcServiceName): Map<string, AnyMethod> {
  return new Map(Object.entries(createWire()[name]) as [string, AnyMethod][]);
}

/** `/whetstone.indexer.v1.IndexerService/Search`, taken apart. */
export function namesOf({ path }: Pick<AnyMethod, 'path'>): { service: string; method: string } {
  const [, service = '', method = ''] = path.split('/');
  return { service, method };
}

/** The proto marks it as idempotent. */
export function isRepeatable({ options }: Pick<AnyMethod, 'options'>): boolean {
  return options.idempotency_level !== 'IDEMPOTENCY_UNKNOWN';
}
