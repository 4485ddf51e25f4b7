import type { TopicSpec } from '@whetstone/contracts';

export const appendedTopic: TopicSpec = { name: 'appended', partitions: 4, compacted: false };
export const keysPerWriter = 8;
