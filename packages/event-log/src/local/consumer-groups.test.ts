import { ConsumerGroups, type ConsumerGroupsOptions } from './consumer-groups.js';
import type { PositionToWrite } from './event-writer.js';

const partition = { id: 7, topic: 't', partition: 0, compacted: false };

describe('a commit', () => {
  it('that did not get to disk is made again by the next try, and counts as lag until then', async () => {
    const written: PositionToWrite[] = [];
    let isFull = true;
    const consumption = join(async (position) => {
      if (isFull) throw new Error('disk full');
      written.push(position);
    });

    await expect(consumption.commit(0, 3)).rejects.toThrow('disk full');
    expect((await consumption.lag()).messages).toBe(5);
    isFull = false;
    await consumption.commit(0, 3);
    await consumption.commit(0, 3);

    expect(written).toEqual([{ group: 'g', partitionId: 7, nextOffset: 3 }]);
    expect((await consumption.lag()).messages).toBe(2);
  });
});

function join(savePosition: ConsumerGroupsOptions['savePosition']) {
  const reader = { positionOf: () => 0, timestampAt: () => 0, read: () => ({ events: [], next: 5 }) };
  const tail = { refresh() {}, listen: () => () => {}, bounds: () => ({ start: 0, end: 5 }) };
  const options = { reader, tail, nowMs: () => 0, savePosition } as unknown as ConsumerGroupsOptions;
  const handlers = { onEvents() {}, onRevoked() {}, onCrash() {} };
  return new ConsumerGroups(options).join([partition], { topic: 't', group: 'g', ...handlers });
}
