import { describeEventLog } from '@whetstone/event-log/conformance';

import { sharedKafka } from '../../support/shared-engines.js';
import { compact, createTopic, openLog } from './topics.js';

const brokers = sharedKafka();

describeEventLog('Kafka', async () => ({
  createTopic: (spec) => createTopic(brokers(), spec),
  open: () => openLog({ brokers: brokers() }),
  compact: (log, topic) => compact(brokers(), log, topic),
  async destroy() {},
}));
