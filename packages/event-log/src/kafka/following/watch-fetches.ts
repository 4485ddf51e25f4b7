import type { Socket } from 'node:net';

import {
  type EmptyStretch,
  type FetchRequest,
  readCorrelationId,
  readEmptyStretches,
  readFetchRequest,
} from './fetch-messages.js';
import { FrameReader } from './frame-reader.js';

export interface FetchObserver {
  /** What the consumer wants next, by partition: it is done with whatever stands before. */
  onAsked(offsets: ReadonlyMap<number, number>): void;
  onEmpty(stretches: EmptyStretch[]): void;
}

const lengthBytes = 4;

/**
 * Reads along on a connection of a consumer. kafkajs tells of events alone: not of a fetch that has brought nothing, not
 * why it has, and not where it goes on after what it does not show.
 */
export function watchFetches(socket: Socket, { onAsked, onEmpty }: FetchObserver): void {
  const underWay = new Map<number, FetchRequest>();
  const frames = new FrameReader();
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  // kafkajs writes a request at a time.
  socket.write = (...args: unknown[]) => {
    const request = readFetchRequest((args[0] as Buffer).subarray(lengthBytes));
    if (request) {
      underWay.set(request.correlationId, request);
      onAsked(request.asked);
    }
    return write(...args);
  };
  socket.on('data', (piece) => {
    for (const frame of frames.read(piece)) {
      const correlationId = readCorrelationId(frame);
      const request = correlationId === undefined ? undefined : underWay.get(correlationId);
      if (!request) continue;
      underWay.delete(request.correlationId);
      onEmpty(emptyStretches(frame, request));
    }
  });
}

/** An answer that cannot be read says nothing; kafkajs, which reads it too, complains. */
function emptyStretches(frame: Buffer, request: FetchRequest): EmptyStretch[] {
  try {
    return readEmptyStretches(frame, request);
  } catch {
    return [];
  }
}
