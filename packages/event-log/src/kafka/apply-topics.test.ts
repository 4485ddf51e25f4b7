import { type TopicSpec, topics } from '@whetstone/contracts';

import { settingsOf, type TopicState, weaknessesOf } from './apply-topics.js';

const replication = { factor: 3, minInSync: 2 };

describe('the settings of a topic', () => {
  it('follow from how long its events stay', () => {
    const policy = (topic: TopicSpec) => {
      const settings = settingsOf(topic, replication);
      return [settings['cleanup.policy'], settings['retention.ms']];
    };

    expect(policy(topics.uploads)).toEqual(['delete', '604800000']);
    expect(policy(topics.jobs)).toEqual(['compact,delete', '2592000000']);
    expect(policy(topics.keys)).toEqual(['compact', '-1']);
    expect(policy(topics.audit)).toEqual(['delete', '31536000000']);
    expect(policy(topics.usage)).toEqual(['compact,delete', '7776000000']);
  });

  it('close segments daily, so that no event stays much longer than its retention', () => {
    expect(settingsOf(topics.uploads, replication)['segment.ms']).toBe('86400000');
    expect(settingsOf(topics.keys, replication)['segment.ms']).toBeUndefined();
  });

  it('compact soon what must not stay', () => {
    expect(settingsOf(topics.collections, replication)['max.compaction.lag.ms']).toBe('3600000');
    expect(settingsOf(topics.keys, replication)['max.compaction.lag.ms']).toBeUndefined();
  });

  it('are fine when they are as wanted, or stronger', () => {
    expect(weaknesses({}, { 'segment.ms': '604800000' })).toEqual([]);
    expect(weaknesses({})).toEqual([]);
    expect(weaknesses({ partitions: 16, replicationFactor: 5 })).toEqual([]);
    expect(weaknesses({}, { 'retention.ms': '-1', 'max.message.bytes': '20000000' })).toEqual([]);
    expect(weaknesses({}, { 'cleanup.policy': 'delete,compact' })).toEqual([]);
  });

  it('are weak in what is less than wanted, each named with both values', () => {
    expect(weaknesses({ partitions: 4, replicationFactor: 1 })).toEqual([
      'the number of partitions is 4 and should be at least 8',
      'the replication factor is 1 and should be at least 3',
    ]);
    expect(
      weaknesses(
        {},
        {
          'cleanup.policy': 'delete',
          'retention.ms': '86400000',
          'retention.bytes': '1000000',
          'max.message.bytes': '1048588',
          'min.insync.replicas': '1',
          'unclean.leader.election.enable': 'true',
        },
      ),
    ).toEqual([
      'cleanup.policy is delete and should be compact,delete',
      'retention.ms is 86400000 and should be at least 2592000000',
      'retention.bytes is 1000000 and should be -1 (no limit)',
      'max.message.bytes is 1048588 and should be at least 8388608',
      'min.insync.replicas is 1 and should be at least 2',
      'unclean.leader.election.enable is true and should be false',
    ]);
  });

  it('are weak where they are not known', () => {
    expect(weaknesses({}, { 'max.message.bytes': '' })).toHaveLength(1);
  });
});

function weaknesses(state: Partial<TopicState>, settings: Record<string, string> = {}): string[] {
  const good = { partitions: 8, replicationFactor: 3, settings: settingsOf(topics.jobs, replication) };
  return weaknessesOf(topics.jobs, replication, { ...good, ...state, settings: { ...good.settings, ...settings } });
}
