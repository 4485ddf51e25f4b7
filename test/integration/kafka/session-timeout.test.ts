import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

import type { EventLog } from '@whetstone/event-log';

import { sharedKafka } from '../../support/shared-engines.js';
import { openMember } from './open-member.js';
import { createTopic, openLog } from './topics.js';
import { until } from './until.js';

const brokers = sharedKafka();
const memberProcess = fileURLToPath(new URL('./member-process.js', import.meta.url));

describe('a member of a group', () => {
  const logs: EventLog[] = [];
  let killed: ChildProcessByStdio<null, Readable, null> | undefined;
  afterEach(async () => {
    killed?.kill('SIGKILL');
    await Promise.all(logs.map((log) => log.close()));
  });

  it('loses its partitions, once it is killed, after the configured session timeout and not before', async () => {
    const [quick, slow] = [await openGroup('6000'), await openGroup('120000')];
    const groups = [quick, slow];
    const list = brokers().join(',');
    const args = [memberProcess, list, ...groups.flatMap(({ topic, timeout }) => [topic, timeout])];
    killed = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const shared = new Set<string>();
    createInterface(killed.stdout).on('line', (topic) => shared.add(topic));
    // Either member may have joined first: the other one then waits for a heartbeat of the first.
    let round = 0;
    await until('both members share both groups', async () => {
      const isShared =
        shared.size === 2 && groups.every(({ partitionsOf }) => partitionsOf(`before ${round}`).size === 1);
      round++;
      for (const { append } of groups) await append(`before ${round}`);
      return isShared;
    });

    killed.kill('SIGKILL');
    await once(killed, 'close');
    for (const { append } of groups) await append('after');
    await until('the other member has its partition', () => quick.partitionsOf('after').size === 2);

    await until('the slow group has read its own partition', () => slow.partitionsOf('after').size > 0);
    expect(slow.partitionsOf('after').size).toBe(1);
  });

  it('is told of a session timeout that the brokers refuse', async () => {
    const topic = await createTopic(brokers());
    const crash = await new Promise<Error>((onCrash) => {
      const opening = openLog({ brokers: brokers(), sessionTimeoutMs: 1000 });
      void opening.then((log) => {
        logs.push(log);
        return log.consume({ topic, group: topic, onEvents() {}, onRevoked() {}, onCrash });
      });
    });

    expect(crash.message).toContain('session timeout is not within the range allowed by the broker');
  });

  /** A group with one member here, on a topic with two partitions. */
  async function openGroup(timeout: string) {
    const topic = await createTopic(brokers(), { partitions: 2 });
    const partitions = new Map<string, Set<number>>();
    const partitionsOf = (text: string) => partitions.get(text) ?? new Set();
    const log = await openMember({
      brokers: brokers().join(','),
      topic,
      sessionTimeoutMs: timeout,
      onEvent({ value, partition }) {
        const text = Buffer.from(value).toString();
        partitions.set(text, new Set([...partitionsOf(text), partition]));
      },
    });
    logs.push(log);
    /** To both partitions, as these keys are spread. */
    const append = async (text: string) => {
      for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
        await log.append(topic, { key, value: Buffer.from(text) });
    };
    return { topic, timeout, append, partitionsOf };
  }
});
