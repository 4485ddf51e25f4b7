import { topics } from '@whetstone/contracts';
import { type EventLog, toJobLogEvent } from '@whetstone/event-log';
import { traceHeaders, withSpan } from '@whetstone/platform';

import type { JobEvents } from '../domain/ports.js';

const topic = topics.jobs.name;

export function createLogJobEvents(log: Pick<EventLog, 'append'>): JobEvents {
  return {
    async append(event) {
      await withSpan(`send ${topic}`, { kind: 'producer' }, async () =>
        log.append(topic, await toJobLogEvent(event, traceHeaders())),
      );
    },
  };
}
