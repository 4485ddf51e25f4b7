import { PartitionWindow } from './partition-lane.js';

describe('PartitionWindow', () => {
  it('lets a position move only over a front that is finished without a gap', () => {
    const window = new PartitionWindow({ messages: 10, bytes: 1000 });
    const [first, second, third] = [3, 4, 7].map((offset) => window.add(offset, 1));
    second!.finished = true;
    expect(window.finishedTo()).toBeUndefined();

    first!.finished = true;
    expect(window.finishedTo()).toBe(5);

    third!.finished = true;
    expect(window.finishedTo()).toBe(8);
  });

  it('is full by messages', () => {
    const window = new PartitionWindow({ messages: 4, bytes: 1000 });
    for (const offset of [0, 1, 2]) window.add(offset, 1);
    expect(window.isFull).toBe(false);
    window.add(3, 1);
    expect(window.isFull).toBe(true);

    window.committed(1);
    expect([window.isFull, window.isHalfEmpty]).toEqual([false, false]);
    window.committed(2);
    expect(window.isHalfEmpty).toBe(true);
  });

  it('is full by bytes, and takes one event that is larger than all of it', () => {
    const window = new PartitionWindow({ messages: 100, bytes: 10 });
    expect(window.isFull).toBe(false);
    window.add(0, 50);
    expect(window.isFull).toBe(true);

    window.committed(1);
    expect(window.isHalfEmpty).toBe(true);
  });
});
