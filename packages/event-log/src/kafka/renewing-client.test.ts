import { RenewingClient } from './renewing-client.js';

describe('a client of Kafka', () => {
  it('connects once, when it is first used, and again after that has failed', async () => {
    let isAway = true;
    const { client, made } = setUp(() => {
      if (isAway) throw new Error('away');
    });
    await expect(client.use(async () => 'never')).rejects.toThrow('away');

    isAway = false;
    const answers = await Promise.all([client.use(async () => 'one'), client.use(async () => 'two')]);

    expect(answers).toEqual(['one', 'two']);
    expect(made.map(({ connects }) => connects)).toEqual([2]);
  });

  it('is made anew when nothing has worked for ten seconds, and not when something has', async () => {
    let nowMs = 0;
    const { client, made } = setUp(undefined, () => nowMs);
    const fail = () => client.use(() => Promise.reject(new Error('no answer'))).catch(() => {});
    await fail();
    nowMs = 9000;
    await client.use(async () => 'an answer');
    await fail();
    nowMs = 18_000;
    await fail();
    expect(made).toHaveLength(1);

    nowMs = 19_001;
    await fail();
    await client.use(async () => 'an answer');

    expect(made.map(({ connects, isDestroyed }) => [connects, isDestroyed])).toEqual([
      [1, true],
      [1, false],
    ]);
  });

  it('is not made anew once it is closed', async () => {
    let nowMs = 0;
    const { client, made } = setUp(undefined, () => nowMs);
    const failing = client.use(async () => {
      await client.close();
      nowMs = 20_000;
      throw new Error('closed');
    });

    await expect(failing).rejects.toThrow('closed');
    expect(made.map(({ isDestroyed }) => isDestroyed)).toEqual([true]);
  });
});

function setUp(inspect = () => {}, nowMs?: () => number) {
  const made: { connects: number; isDestroyed: boolean }[] = [];
  const client = new RenewingClient(() => {
    const one = { connects: 0, isDestroyed: false };
    made.push(one);
    const connect = async () => {
      one.connects++;
      inspect();
    };
    const destroy = () => {
      one.isDestroyed = true;
    };
    return { client: { connect, disconnect: async () => {} }, destroy };
  }, nowMs);
  return { client, made };
}
