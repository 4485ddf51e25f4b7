import { setTimeout as sleep } from 'node:timers/promises';

import { createStopList } from './start-cluster.js';

function recorder() {
  const stopped: string[] = [];
  const member = (name: string, startsWithinMs = 0) =>
    sleep(startsWithinMs, {
      async stop() {
        await sleep(5);
        stopped.push(name);
      },
    });
  return { stopped, member };
}

describe('a stop list', () => {
  it('stops groups one after another, the last one first', async () => {
    const { stopped, member } = recorder();
    const stops = createStopList();
    await Promise.all([stops.start([member('engine', 30)]), stops.start([member('service'), member('service')])]);
    await stops.stop();
    expect(stopped).toEqual(['service', 'service', 'engine']);
  });

  it('tells of a failed start when the others of the group have started, so that they are stopped too', async () => {
    const { stopped, member } = recorder();
    const stops = createStopList();
    const failing = Promise.reject(new Error('no port'));
    await expect(stops.start([failing, member('slow', 30)])).rejects.toThrow('no port');
    await stops.stop();
    expect(stopped).toEqual(['slow']);
  });
});
