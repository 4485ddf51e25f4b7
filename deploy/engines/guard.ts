import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Kills a process when this one is gone, however it went; with a negative id, the whole group that the process leads. A
 * shell waits for a line on a pipe that only this process holds: the line comes when the guarded process has ended by
 * itself; the end of the pipe without it means that we are dead.
 */
export function guard(pid: number): () => void {
  const shell = spawn('sh', ['-c', 'read -r ended || kill -9 "$1"', 'whetstone-guard', String(pid)], {
    // Its own session: Ctrl-C on a terminal is for us, and the guard has to outlive us.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const pipe = shell.stdin as Socket;
  pipe.on('error', () => {});
  shell.on('error', () => {});
  shell.unref();
  pipe.unref();
  return () => pipe.end('ended\n');
}
