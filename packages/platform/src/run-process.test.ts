import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { AppError } from './app-error.js';
import { type RunningProcess, runProcess } from './run-process.js';
import { createRecordingLogger } from './test-kit/recording-logger.js';

describe('runProcess', () => {
  it('undoes on SIGTERM what was started, the last first and one after another, then exits 0', async () => {
    const { done, exited, port } = run(({ onStop }, done) => {
      onStop({ name: 'store', timeoutMs: 1000, stop: () => void done.push('store') });
      onStop({
        name: 'server',
        timeoutMs: 1000,
        stop: async () => {
          await sleep(5);
          done.push('server');
        },
      });
    });

    port.emit('SIGTERM');

    expect(await exited).toBe(0);
    expect(done).toEqual(['server', 'store']);
  });

  it('stops on SIGINT too', async () => {
    const { exited, port } = run(() => {});

    port.emit('SIGINT');

    expect(await exited).toBe(0);
  });

  it('exits at once with a non-zero code at a second signal', async () => {
    const { exited, port } = run(({ onStop }) => onStop({ name: 'stuck', timeoutMs: 200, stop: forever }));

    port.emit('SIGINT');
    port.emit('SIGINT');

    expect(await exited).toBe(130);
  });

  it('goes on without a phase that takes too long, says so, and exits non-zero', async () => {
    const { done, exited, lines, port } = run(({ onStop }, done) => {
      onStop({ name: 'store', timeoutMs: 1000, stop: () => void done.push('store') });
      onStop({ name: 'stuck', timeoutMs: 10, stop: forever });
    });

    port.emit('SIGTERM');

    expect(await exited).toBe(1);
    expect(done).toEqual(['store']);
    expect(lines()).toContainEqual(expect.objectContaining({ level: 'warn', phase: 'stuck' }));
  });

  it('never takes longer than the grace period, and still calls the phases that are left', async () => {
    const { done, exited, port } = run(({ onStop }, done) => {
      onStop({ name: 'store', timeoutMs: 60_000, stop: () => void done.push('store') });
      onStop({ name: 'stuck too', timeoutMs: 60_000, stop: forever });
      onStop({ name: 'stuck', timeoutMs: 60_000, stop: forever });
    }, 20);

    port.emit('SIGTERM');

    expect(await exited).toBe(1);
    expect(done).toEqual(['store']);
  });

  it('goes on after a phase that fails, and exits non-zero', async () => {
    const { done, exited, lines, port } = run(({ onStop }, done) => {
      onStop({ name: 'store', timeoutMs: 1000, stop: () => void done.push('store') });
      onStop({
        name: 'broken',
        timeoutMs: 1000,
        stop: () => {
          throw new Error('no');
        },
      });
    });

    port.emit('SIGTERM');

    expect(await exited).toBe(1);
    expect(done).toEqual(['store']);
    expect(lines()).toContainEqual(expect.objectContaining({ level: 'error', phase: 'broken' }));
  });

  it('stops in order and exits non-zero after a fatal error', async () => {
    const { done, exited, lines, running } = run(({ onStop }, done) => {
      onStop({ name: 'store', timeoutMs: 1000, stop: () => void done.push('store') });
    });

    running().fatal(new Error('the consumer crashed'));

    expect(await exited).toBe(1);
    expect(done).toEqual(['store']);
    expect(JSON.stringify(lines())).toContain('the consumer crashed');
  });

  it('undoes what a failed start had done, and tells a mistake of the operator in its own words', async () => {
    const { done, exited, lines } = run(({ onStop }, done) => {
      onStop({ name: 'store', timeoutMs: 1000, stop: () => void done.push('store') });
      throw new AppError('invalid_argument', 'Port 8080 is taken');
    });

    expect(await exited).toBe(1);
    expect(done).toEqual(['store']);
    expect(lines()[0]).toMatchObject({ level: 'error', msg: 'Could not start. Port 8080 is taken' });
    expect(lines()[0]).not.toHaveProperty('err');
    expect(lines()).toHaveLength(1);
  });

  it('lets a start that is still waiting know that the process stops', async () => {
    const { exited, port } = run(
      ({ stopping }) =>
        new Promise((_, reject) => {
          stopping.addEventListener('abort', () => reject(new Error('given up')));
        }),
    );

    port.emit('SIGTERM');

    expect(await exited).toBe(0);
  });

  it.each(['uncaughtException', 'unhandledRejection'])('logs an error and exits non-zero at an %s', async (event) => {
    const { exited, lines, port } = run(() => {});

    port.emit(event, new Error('unforeseen'));

    expect(await exited).toBe(1);
    expect(lines()).toContainEqual(expect.objectContaining({ level: 'error' }));
    expect(JSON.stringify(lines())).toContain('unforeseen');
  });
});

function run(start: (running: RunningProcess, done: string[]) => void | Promise<void>, graceMs = 5000) {
  const done: string[] = [];
  const { logger, lines } = createRecordingLogger();
  let running: RunningProcess | undefined;
  let port = Object.assign(new EventEmitter(), { exit: (_code: number) => {} });
  const exited = new Promise<number>((resolve) => {
    port = Object.assign(new EventEmitter(), { exit: resolve });
  });
  runProcess({
    graceMs,
    logger,
    process: port,
    async start(given) {
      running = given;
      await start(given, done);
    },
  });
  return { done, exited, lines, port, running: () => running as RunningProcess };
}

function forever(): Promise<void> {
  return new Promise(() => {});
}
