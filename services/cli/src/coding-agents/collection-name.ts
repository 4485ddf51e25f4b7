import { execFile } from 'node:child_process';
import { basename, resolve } from 'node:path';

/** `owner/repo` from the git remote of the folder; without a remote, the name of the repository's folder or of this one. */
export async function collectionName(folder: string): Promise<string> {
  const remote = await git(folder, 'config', '--get', 'remote.origin.url');
  const name = remote && nameOfRemote(remote);
  if (name) return name;
  const top = await git(folder, 'rev-parse', '--show-toplevel');
  return basename(top || resolve(folder)) || 'default';
}

/** The last two parts of the path: `git@host:owner/repo.git` and `https://host/group/owner/repo` name `owner/repo`. */
export function nameOfRemote(remote: string): string | undefined {
  const path = remote.replace(/^[a-z+]+:\/\/[^/]*/i, '').replace(/^[^/]*:/, '');
  const parts = path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.slice(-2).join('/');
}

/** Undefined if git is missing, too slow or has nothing to say. */
function git(folder: string, ...argv: string[]): Promise<string | undefined> {
  return new Promise((done) => {
    execFile('git', ['-C', folder, ...argv], { timeout: 300 }, (error, stdout) =>
      done(error ? undefined : stdout.trim() || undefined),
    );
  });
}
