import { type EventLoopUtilization, performance } from 'node:perf_hooks';

import type { Pace } from '@whetstone/analyser';
import { sleep as sleepFor } from '@whetstone/platform';

interface GiveWayOptions {
  /** Event loop utilization since the last call, 0 to 1. */
  utilization?(): number;
  nowMs?(): number;
  sleep?(timeMs: number, signal: AbortSignal): Promise<unknown>;
}

const busyAbove = 0.5;
const sampleMs = 100;
/** Time between jobs while the process is busy: learning slows down but never stops. */
const spacingMs = 100;

/** Gives requests priority over learning, which can wait: while the event loop is busy, jobs start one at a time and far apart. */
export function createGiveWay(options: GiveWayOptions = {}): Pace {
  const {
    utilization = loopUtilization(),
    nowMs = () => performance.now(),
    sleep = (timeMs, signal) => sleepFor(timeMs, { signal }),
  } = options;
  let busy = false;
  let sampledAtMs = nowMs();
  let nextStartMs = 0;

  function isBusy(now: number): boolean {
    if (now - sampledAtMs < sampleMs) return busy;
    sampledAtMs = now;
    busy = utilization() > busyAbove;
    return busy;
  }

  return {
    async turn(signal) {
      const now = nowMs();
      if (!isBusy(now)) return;
      const start = Math.max(now, nextStartMs);
      nextStartMs = start + spacingMs;
      await sleep(start - now, signal);
    },
  };
}

function loopUtilization(): () => number {
  let last: EventLoopUtilization = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
