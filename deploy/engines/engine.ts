import { type Child, type Exit, end, type Launch, lastLines, launch, type Readiness, untilReady } from './processes.js';
import type { ReservedPort } from './reserve-port.js';

/** A server process that can be ended and started again, always in the same folder and on the same port. */
export interface Engine {
  readonly name: string;
  /** Of the process that runs, or ran last. */
  readonly pid: number;
  readonly running: boolean;
  /** Of the process that runs, or ran last. */
  readonly exited: Promise<Exit>;
  /** Everything that the present process has printed. */
  printed(): string;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts it again, after an orderly stop if it runs; resolves when it is ready. */
  restart(): Promise<void>;
  /** SIGSTOP: it lives and does nothing. */
  pause(): void;
  resume(): void;
  /** An orderly stop, then a kill if that takes too long. Does nothing to one that has ended. */
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
  /** Told when the process ends after its start without having been asked to. */
  onUnexpectedEnd?: ((ending: UnexpectedEnd) => void) | undefined;
  /** Kept for it until it is stopped for good. */
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
