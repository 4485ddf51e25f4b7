import { createLogger } from '@whetstone/platform';
import kafkajs from 'kafkajs';

import { OffsetCommits } from './offset-commits.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const movedOn = Object.assign(new kafkajs.KafkaJSNonRetriableError('old'), { type: 'ILLEGAL_GENERATION' });

describe('commits of a member', () => {
  it('of one turn go together, and those that come meanwhile into the next request, the furthest only', async () => {
    const { commits, sent } = setUp();
    const first = [commits.commit(0, 3), commits.commit(1, 5)];
    await new Promise((resolve) => setImmediate(resolve));
    const second = [commits.commit(0, 7), commits.commit(0, 9), commits.commit(0, 8)];
    await Promise.all([...first, ...second]);

    expect(sent).toEqual([{ 0: 3, 1: 5 }, { 0: 9 }]);
  });

  it('that come after the group has moved on are made again when it has shared out anew', async () => {
    let isOld = true;
    const { commits, sent } = setUp(() => {
      if (isOld) throw movedOn;
    });
    const commit = commits.commit(0, 3);
    await until(() => sent.length === 1);

    isOld = false;
    commits.joined([]);
    await commit;

    expect(sent).toEqual([{ 0: 3 }, { 0: 3 }]);
  });

  it('for a partition that is somebody else’s by then do nothing', async () => {
    const { commits, sent } = setUp(() => {
      throw movedOn;
    });
    const commit = commits.commit(0, 3);
    await until(() => sent.length === 1);

    commits.joined([0]);

    await commit;
    expect(sent).toEqual([{ 0: 3 }]);
  });

  it('are refused when they do not get through, and can be made again', async () => {
    let isAway = true;
    const { commits, sent } = setUp(() => {
      if (isAway) throw new kafkajs.KafkaJSConnectionError('away');
    });
    await expect(commits.commit(0, 3)).rejects.toMatchObject({ code: 'log_unavailable', retryable: true });

    isAway = false;
    await commits.commit(0, 3);

    expect(sent).toEqual([{ 0: 3 }, { 0: 3 }]);
  });

  it('are not waited for without end, and the next request waits for the last one all the same', async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { commits, sent } = setUp(() => (sent.length === 1 ? answered : undefined), 20);
    await expect(commits.commit(0, 3)).rejects.toMatchObject({ code: 'log_unavailable' });
    await expect(commits.commit(0, 5)).rejects.toMatchObject({ code: 'log_unavailable' });
    expect(sent).toEqual([{ 0: 3 }]);

    answer();
    await until(() => sent.length === 2);

    expect(sent[1]).toEqual({ 0: 5 });
  });
});

function setUp(inspect: () => void | Promise<void> = () => {}, timeoutMs = 5000) {
  const sent: Record<number, number>[] = [];
  const commits = new OffsetCommits({
    async send(offsets) {
      sent.push(Object.fromEntries(offsets));
      await new Promise((resolve) => setTimeout(resolve, 2));
      await inspect();
    },
    logger,
    timeoutMs,
  });
  return { commits, sent };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => setTimeout(resolve, 5));
}
