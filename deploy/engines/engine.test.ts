import { join } from 'node:path';

import { startEngine, type UnexpectedEnd } from './engine.js';
import { temporaryFolder } from './test-kit/temporary-folder.js';

const folder = temporaryFolder();

function startSleeper(onUnexpectedEnd?: (ending: UnexpectedEnd) => void) {
  const script = 'echo ready; exec sleep 600';
  return startEngine({
    launch: { name: 'sleeper', command: 'sh', args: ['-c', script], logFile: join(folder(), 'sleeper.log') },
    readiness: { isReady: (child) => child.printed().includes('ready'), withinMs: 30_000 },
    stopSignal: 'SIGTERM',
    stopWithinMs: 30_000,
    ports: [],
    onUnexpectedEnd,
  });
}

describe('an engine', () => {
  it('is another process after a restart, killed before or not', async () => {
    const engine = await startSleeper();
    const first = engine.pid;
    await engine.kill();
    expect(engine.running).toBe(false);
    await engine.restart();
    const second = engine.pid;
    await engine.restart();
    expect(new Set([first, second, engine.pid]).size).toBe(3);
    expect(engine.running).toBe(true);
    expect(await engine.stop()).toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('is told of with its last lines when it ends by itself, and only then', async () => {
    const endings: UnexpectedEnd[] = [];
    const engine = await startSleeper((ending) => endings.push(ending));
    await engine.kill();
    await engine.restart();
    await engine.restart();
    expect(endings).toEqual([]);
    process.kill(engine.pid, 'SIGKILL');
    await engine.exited;
    expect(endings).toEqual([{ name: 'sleeper', exit: { code: null, signal: 'SIGKILL' }, lastLines: 'ready' }]);
    await engine.stop();
  });
});
