import { randomUUID } from 'node:crypto';

import { type TopicSpec, topics } from '@whetstone/contracts';
import { applyTopics } from '@whetstone/event-log/kafka';

import { sharedKafka } from '../../support/shared-engines.js';
import { createTopic, silent, withAdmin } from './topics.js';

const brokers = sharedKafka();

describe('the topics of a cluster', () => {
  it('are refused where fewer brokers than copies are there, and nothing is made', async () => {
    const wanted = ownTopics();

    await expect(apply(wanted)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('the brokers (1) cannot hold 3 copies'),
    });

    expect(await existing(wanted)).toEqual([]);
  });

  it('are made where that is accepted, with what they need, and found to be there the next time', async () => {
    const wanted = ownTopics();

    const made = await apply(wanted, true);
    const found = await apply(wanted, true);

    expect(made.map(({ created }) => created)).toEqual(wanted.map(() => true));
    expect(found.map(({ created }) => created)).toEqual(wanted.map(() => false));
    expect(found[1]?.weaknesses).toEqual([
      'the replication factor is 1 and should be at least 3',
      'min.insync.replicas is 1 and should be at least 2',
    ]);
  });

  it('are as good as they should be where so many copies are enough', async () => {
    const wanted = ownTopics();
    const replication = { factor: 1, minInSync: 1 };
    await applyTopics({ config: { brokers: brokers() }, topics: wanted, logger: silent, replication });

    const found = await applyTopics({ config: { brokers: brokers() }, topics: wanted, logger: silent, replication });

    expect(found.flatMap(({ weaknesses }) => weaknesses)).toEqual([]);
  });

  it('are refused where one is weaker, with every difference by name, and are left as they are', async () => {
    const [uploads, jobs, ...others] = ownTopics() as [TopicSpec, TopicSpec, ...TopicSpec[]];
    const settings = { 'cleanup.policy': 'delete', 'unclean.leader.election.enable': 'true' };
    await createTopic(brokers(), { name: jobs.name, partitions: 2, settings });

    const refusal = apply([uploads, jobs, ...others]);

    await expect(refusal).rejects.toMatchObject({ code: 'invalid_argument' });
    for (const difference of [
      `${jobs.name}: the number of partitions is 2 and should be at least 8`,
      `${jobs.name}: the replication factor is 1 and should be at least 3`,
      `${jobs.name}: cleanup.policy is delete and should be compact,delete`,
      `${jobs.name}: retention.ms is 604800000 and should be at least 2592000000`,
      `${jobs.name}: min.insync.replicas is 1 and should be at least 2`,
      `${jobs.name}: unclean.leader.election.enable is true and should be false`,
    ]) {
      await expect(refusal).rejects.toThrow(difference);
    }
    expect(await existing([uploads, jobs, ...others])).toEqual([jobs.name]);
  });

  it('cannot be made while the cluster is away, and that is said', async () => {
    const config = { brokers: ['127.0.0.1:1'] };

    await expect(applyTopics({ config, topics: ownTopics(), logger: silent })).rejects.toMatchObject({
      code: 'log_unavailable',
      retryable: true,
    });
  });
});

/** The real topics under unique names. */
function ownTopics(): TopicSpec[] {
  const suffix = randomUUID();
  return Object.values(topics).map((topic) => ({ ...topic, name: `${topic.name}-${suffix}` }));
}

function apply(wanted: TopicSpec[], acceptWeaker = false) {
  return applyTopics({ config: { brokers: brokers() }, topics: wanted, logger: silent, acceptWeaker });
}

async function existing(wanted: TopicSpec[]): Promise<string[]> {
  const all = await withAdmin(brokers(), (admin) => admin.listTopics());
  return all.filter((name) => wanted.some((topic) => topic.name === name));
}
