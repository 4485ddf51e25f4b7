import type { Consumer } from 'kafkajs';

import type { FetchRounds } from './fetch-rounds.js';

export interface FetchObserver {
  /** Everything that a fetch has brought has been applied. */
  onRound(): void;
  /** What was to be read next is not in the log: kafkajs goes on with the oldest event there is. */
  onReset(): void;
  /** A stretch of a partition in which there is nothing to see, control records for one. */
  onPassed(partition: number, first: number, next: number): void;
}

/** Follows what a consumer of a view does by what it reports. */
export function observeFetches(consumer: Consumer, rounds: FetchRounds, observer: FetchObserver): void {
  const { events } = consumer;
  consumer.on(events.FETCH_START, ({ payload: { nodeId } }) => {
    rounds.begun(nodeId, performance.now());
    observer.onRound();
  });
  consumer.on(events.FETCH, ({ payload: { nodeId } }) => rounds.ended(nodeId));
  consumer.on(events.REQUEST, ({ payload: { apiName, broker, size } }) => {
    if (apiName === 'Fetch') rounds.answered(broker, size, performance.now());
    // A view never commits: kafkajs does, and only to leave a position that is out of range.
    if (apiName === 'OffsetCommit') observer.onReset();
  });
  consumer.on(events.START_BATCH_PROCESS, ({ payload: { partition } }) => rounds.brought(partition, performance.now()));
  consumer.on(events.END_BATCH_PROCESS, ({ payload: { partition, batchSize, firstOffset, lastOffset } }) => {
    if (batchSize === 0) observer.onPassed(partition, Number(firstOffset), Number(lastOffset) + 1);
  });
}
