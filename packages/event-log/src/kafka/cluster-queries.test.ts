import { TopicDirectory } from './cluster-queries.js';

describe('the directory of topics', () => {
  it('asks once for a topic, and answers in the order of the calls', async () => {
    const asked: string[] = [];
    const directory = new TopicDirectory(async (topic) => asked.push(topic));
    const order: number[] = [];

    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await directory.partitionsOf('t');
        order.push(index);
      }),
    );

    expect(asked).toEqual(['t']);
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it('asks again after a failure', async () => {
    let isAway = true;
    const directory = new TopicDirectory(async () => {
      if (isAway) throw new Error('away');
      return 4;
    });
    await expect(directory.partitionsOf('t')).rejects.toThrow('away');

    isAway = false;

    expect(await directory.partitionsOf('t')).toBe(4);
  });
});
