import { topics } from '@whetstone/contracts';
import { type EventLog, toJobLogEvent } from '@whetstone/event-log';
import { traceHeaders } from '@whetstone/platform';

import type { JobEvents } from '../domain/ports.js';

export function createLogJobEvents(log: Pick<EventLog, 'append'>): JobEvents {
  return {
    async append(event) {
      await log.append(topics.jobs.name, await toJobLogEvent(event, traceHeaders()));
    },
  };
}
