import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** `kubectl` in one namespace of the current cluster. */
export interface Kubectl {
  readonly namespace: string;
  /** Returns its output; throws its error output if it fails. */
  run(...args: string[]): Promise<string>;
  json<T>(...args: string[]): Promise<T>;
  apply(manifest: object): Promise<void>;
  /** Follows the logs of a release's pods into a file. Returns a function that stops. */
  follow(selector: string, file: string): () => void;
  /** Forwards a pod's port to this machine. */
  forward(pod: string, port: number): Promise<Forwarded>;
  /** For a shell. */
  readonly command: string;
}

export interface Forwarded {
  url: string;
  stop(): void;
}

export function createKubectl(namespace: string): Kubectl {
  const run = (...args: string[]) => runCommand('kubectl', ['--namespace', namespace, ...args]);
  return {
    namespace,
    run,
    json: async (...args) => JSON.parse(await run(...args, '--output', 'json')),
    async apply(manifest) {
      await runCommand('kubectl', ['--namespace', namespace, 'apply', '--filename', '-'], JSON.stringify(manifest));
    },
    follow(selector, file) {
      const args = ['logs', '--follow', '--prefix', '--all-containers', '--max-log-requests', '100'];
      const child: ChildProcess = spawn('kubectl', ['--namespace', namespace, ...args, '--selector', selector], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      child.stdout?.pipe(createWriteStream(file, { flags: 'a' }));
      return () => child.kill();
    },
    async forward(pod, port) {
      const child = spawn('kubectl', ['--namespace', namespace, 'port-forward', `pod/${pod}`, `:${port}`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      for await (const line of createInterface(child.stdout)) {
        const [, own] = /^Forwarding from 127\.0\.0\.1:(\d+)/.exec(line) ?? [];
        // Discards what it prints about each connection.
        child.stdout.resume();
        if (own !== undefined) return { url: `http://127.0.0.1:${own}`, stop: () => void child.kill() };
      }
      throw new Error(`kubectl forwards no port of ${pod}`);
    },
    command: `kubectl --namespace ${namespace}`,
  };
}

export function runCommand(command: string, args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, { maxBuffer: 512 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error)
        reject(new Error(`${command} ${args.slice(0, 8).join(' ')}: ${stderr || stdout || error.message}`.trim()));
      else resolve(stdout);
    });
    child.stdin?.end(input);
  });
}

/** All objects in a namespace as `kind/name`, except events and metrics. */
export async function objectsIn(namespace: string): Promise<string[]> {
  const listed = await runCommand('kubectl', ['api-resources', '--verbs=list', '--namespaced', '--output=name']);
  const kinds = listed.split('\n').filter((kind) => kind !== '' && !/^events|metrics\.k8s\.io$/.test(kind));
  const names = await runCommand('kubectl', [
    '--namespace',
    namespace,
    'get',
    kinds.join(','),
    '--output=name',
    '--ignore-not-found',
  ]);
  return names
    .split('\n')
    .filter((name) => name !== '')
    .sort();
}
