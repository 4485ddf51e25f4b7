import { execFileSync } from 'node:child_process';

import { createWorkerClient, type WorkerClient, type WorkerClientOptions } from './worker-client.js';

const script = new URL('./test-kit/worker-under-test.js', import.meta.url);
const workers: WorkerClient[] = [];

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.terminate();
});

describe('a call into a worker', () => {
  it('answers each of many concurrent calls with its own result, whatever order they end in', async () => {
    const worker = aWorker();
    const values = Array.from({ length: 300 }, (_, index) => index);

    const answers = await Promise.all(
      values.map((value) => worker.call('slowly', { value, delayMs: (value * 7) % 20 })),
    );

    expect(answers).toEqual(values);
  });

  it('rejects with the AppError that the handler threw', async () => {
    await expect(aWorker().call('refuse', undefined)).rejects.toMatchObject({
      name: 'AppError',
      code: 'too_large',
      message: 'Too much of it',
      retryable: true,
    });
  });

  it('rejects with `internal` for any other error, keeps its stack as the cause, and the worker lives on', async () => {
    const worker = aWorker();

    await expect(worker.call('stumble', undefined)).rejects.toMatchObject({
      code: 'internal',
      message: 'x is not a function',
      cause: expect.stringContaining('worker-under-test'),
    });
    expect(await worker.call('double', 21)).toBe(42);
  });

  it('may be made again if the handler had no descriptor left', async () => {
    await expect(aWorker().call('starve', undefined)).rejects.toMatchObject({ code: 'internal', retryable: true });
  });

  it('rejects for a method that the worker does not have', async () => {
    await expect(aWorker().call('triple', 1)).rejects.toMatchObject({ message: 'This worker has no method triple' });
  });

  it('rejects for an answer that cannot leave the thread', async () => {
    await expect(aWorker().call('unsendable', 1)).rejects.toMatchObject({ code: 'internal' });
  });

  it('rejects for a payload that cannot enter the thread', async () => {
    const worker = aWorker();

    await expect(worker.call('double', () => {})).rejects.toThrow(/could not be cloned/);
    expect(await worker.call('double', 2)).toBe(4);
  });

  it('keeps the process alive until it is answered, and no longer', () => {
    const program = `import(${JSON.stringify(new URL('./worker-client.js', import.meta.url))}).then((platform) => {
      const worker = platform.createWorkerClient(new URL(${JSON.stringify(script)}), { name: 'test' });
      worker.call('double', () => {}).catch(() => console.log('refused'));
      worker.call('slowly', { value: 7, delayMs: 20 }).then(console.log);
    })`;

    const options = { encoding: 'utf8', timeout: 20_000 } as const;
    expect(execFileSync(process.execPath, ['-e', program], options)).toBe('refused\n7\n');
  });

  it('hands buffers over instead of copying them, both ways', async () => {
    const worker = aWorker();
    const bytes = new Uint8Array(1000);

    expect(await worker.call('lengthOf', bytes, { transfer: [bytes.buffer] })).toBe(1000);
    expect(bytes.length).toBe(0);
    expect(Array.from(await worker.call<Float32Array>('handOver', 3))).toEqual([0.5, 0.5, 0.5]);
  });
});

describe('a worker that ends', () => {
  it('by a crash, rejects what was pending and what comes after, and tells the reason', async () => {
    const worker = aWorker();

    const pending = [worker.call('crash', undefined), worker.call('slowly', { value: 1, delayMs: 60_000 })];
    for (const call of pending) await expect(call).rejects.toMatchObject({ code: 'internal', message: ended });
    await expect(worker.call('double', 1)).rejects.toMatchObject({ code: 'internal', message: ended });
    expect(await worker.ended).toMatchObject({ message: 'the thread is broken' });
  });

  it('by exceeding its memory, rejects what was pending and leaves the process alive', async () => {
    const worker = aWorker({ resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 } });

    await expect(worker.call('exhaust', undefined)).rejects.toMatchObject({
      code: 'internal',
      cause: expect.objectContaining({ code: 'ERR_WORKER_OUT_OF_MEMORY' }),
    });
  });

  it('by being terminated while it hangs, rejects what was pending and has no reason to tell', async () => {
    const worker = aWorker();
    const call = worker.call('hang', undefined);
    const rejected = expect(call).rejects.toMatchObject({ code: 'internal', message: ended });

    await worker.terminate();

    await rejected;
    expect(await worker.ended).toBeUndefined();
  });

  it('by being closed, first finishes what is under way and takes nothing more', async () => {
    const worker = aWorker();
    const underWay = worker.call('slowly', { value: 7, delayMs: 50 });

    const closed = worker.close();

    await expect(worker.call('double', 1)).rejects.toMatchObject({ message: ended });
    await closed;
    expect(await underWay).toBe(7);
  });

  it.each(['EMFILE', 'ENOMEM', 'ERR_WORKER_INIT_FAILED'])(
    'for want of resources (%s), may be tried again',
    async (code) => {
      const worker = aWorker({ workerData: { failAtStart: code } });

      await expect(worker.call('double', 1)).rejects.toMatchObject({ code: 'internal', retryable: true });
    },
  );

  it('by a mistake at its start, is not to be tried again', async () => {
    const worker = aWorker({ workerData: { failAtStart: 'ERR_MODULE_NOT_FOUND' } });

    await expect(worker.call('double', 1)).rejects.toMatchObject({ code: 'internal', retryable: false });
  });

  it('may be terminated twice', async () => {
    const worker = aWorker();

    await worker.terminate();
    await worker.terminate();

    await expect(worker.call('double', 1)).rejects.toMatchObject({ message: ended });
  });
});

const ended = 'The test worker has ended';

function aWorker(options: Partial<WorkerClientOptions> = {}): WorkerClient {
  const worker = createWorkerClient(script, { name: 'test', ...options });
  workers.push(worker);
  return worker;
}
