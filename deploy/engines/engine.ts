import { type Child, type Exit, end, type Launch, lastLines, launch, type Readiness, untilReady } from './processes.js';
import type { ReservedPort } from './reserve-port.js';

/** A server process that can be stopped and restarted, always in the same folder and on the same port. */
export interface Engine {
  readonly name: string;
  /** Of the current process, or the last one. */
  readonly pid: number;
  readonly running: boolean;
  /** Of the current process, or the last one. */
  readonly exited: Promise<Exit>;
  /** Everything the current process has printed. */
  printed(): string;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Stops it in order if it runs, and starts it again; resolves when it is ready. */
  restart(): Promise<void>;
  /** SIGSTOP. */
  pause(): void;
  resume(): void;
  /** Stops it in order, and kills it if that takes too long. Does nothing if it has ended. */
  stop(): Promise<Exit>;
}

export interface UnexpectedEnd {
  name: string;
  exit: Exit;
  lastLines: string;
}

export interface EngineOptions {
  launch: Launch;
  readiness: Readiness;
  stopSignal: NodeJS.Signals;
  stopWithinMs: number;
  /** Called when the process ends unasked after it was ready. */
  onUnexpectedEnd?: ((ending: UnexpectedEnd) => void) | undefined;
  /** Released when it is stopped for good. */
  ports: readonly ReservedPort[];
}

export async function startEngine(options: EngineOptions): Promise<Engine> {
  const asked = new WeakSet<Child>();
  const release = () => options.ports.forEach((port) => void port.release());
  let child: Child = await begin().catch((error: unknown) => {
    release();
    throw error;
  });

  async function begin(): Promise<Child> {
    const started = await launch(options.launch);
    await untilReady(started, options.readiness);
    void started.exited.then((exit) => {
      if (asked.has(started)) return;
      options.onUnexpectedEnd?.({ name: started.name, exit, lastLines: lastLines(started.printed()) });
    });
    return started;
  }

  function endInOrder(): Promise<Exit> {
    asked.add(child);
    return end(child, options.stopSignal, options.stopWithinMs);
  }

  return {
    name: options.launch.name,
    get pid() {
      return child.pid;
    },
    get running() {
      return child.exit === undefined;
    },
    get exited() {
      return child.exited;
    },
    printed: () => child.printed(),
    async kill() {
      asked.add(child);
      child.signal('SIGKILL');
      await child.untilExit();
    },
    async restart() {
      await endInOrder();
      child = await begin();
    },
    pause: () => child.signal('SIGSTOP'),
    resume: () => child.signal('SIGCONT'),
    async stop() {
      const exit = await endInOrder();
      release();
      return exit;
    },
  };
}
