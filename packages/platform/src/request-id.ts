import { AsyncLocalStorage } from 'node:async_hooks';

const requestIds = new AsyncLocalStorage<string>();

/** Everything that `work` logs carries this request id. */
export function withRequestId<Result>(requestId: string | undefined, work: () => Result): Result {
  return requestId === undefined ? work() : requestIds.run(requestId, work);
}

export function currentRequestId(): string | undefined {
  return requestIds.getStore();
}
