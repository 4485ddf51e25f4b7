import { type Child, type Exit, end, type Launch, launch, type Readiness, untilReady } from './child.js';
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

export interface EngineOptions {
  launch: Launch;
  readiness: Readiness;
  stopSignal: NodeJS.Signals;
  stopWithinMs: number;
  /** Kept for it until it is stopped for good. */
  ports: readonly ReservedPort[];
}

export async function startEngine(options: EngineOptions): Promise<Engine> {
  let child: Child = await begin();

  async function begin(): Promise<Child> {
    const started = await launch(options.launch);
    await untilReady(started, options.readiness);
    return started;
  }

  const endInOrder = () => end(child, options.stopSignal, options.stopWithinMs);

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
      child.signal('SIGKILL');
      await child.exited;
    },
    async restart() {
      await endInOrder();
      child = await begin();
    },
    pause: () => child.signal('SIGSTOP'),
    resume: () => child.signal('SIGCONT'),
    async stop() {
      const exit = await endInOrder();
      for (const port of options.ports) port.release();
      return exit;
    },
  };
}
