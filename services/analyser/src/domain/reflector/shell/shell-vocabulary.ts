import { type ProgramWords, shellPrograms } from './shell-programs.js';

const otherPrograms = new Set(
  (
    'apt apt-get bash bc bzip2 cal cd chgrp clear cmp column conda csplit dd declare dig dmesg dpkg exit expand export expr fold free fuser gcc groups ' +
    'history host iconv install java javac journalctl killall less locate ll mktemp more mount nc netstat nohup nproc nslookup pkill poetry pushd popd ' +
    'rsync screen set sh shasum shred shopt source ss strings sudo sum test time timeout tmux top tput traceroute true tsc tty type ulimit umask unset uptime ' +
    'vim visudo watch whereis whoami xz yes zcat zgrep zsh mvn gradle dotnet ruby php terraform ansible aws gcloud az unlink compgen fmt last ' +
    'gh glab uv uvx bun bunx pnpm deno podman oc kustomize nix crictl skopeo jj hg svn nmap tcpdump iptables ufw apk yum dnf pacman rustc rustup clang ' +
    'cmake ninja bazel adb elixir ghc cabal sbt scala kotlinc lua Rscript gdb strace ltrace valgrind objdump nm readelf ldd ' +
    'mysqldump pg_dump pg_restore createdb dropdb etcdctl consul packer vagrant minikube argocd eksctl heroku vercel flyctl wrangler firebase doctl ' +
    'hostnamectl timedatectl loginctl nmcli arp whois socat ssh-keygen sftp rclone restic borg autossh ' +
    'lsblk vmstat useradd usermod passwd su service ffmpeg convert pandoc mongo mongosh redis-cli'
  ).split(' '),
);

export function wordsFor(program: string): ProgramWords | undefined {
  return Object.hasOwn(shellPrograms, program) ? shellPrograms[program] : undefined;
}

export function isKnownProgram(program: string): boolean {
  return wordsFor(program) !== undefined || otherPrograms.has(program) || isCmdlet(program);
}

/** `Get-ChildItem`: how PowerShell names what it runs. */
export function isCmdlet(program: string): boolean {
  return /^[A-Z][a-z]{1,20}-[A-Z][A-Za-z]{1,40}$/.test(program);
}

/** What `find` is told to look at. */
export const findPredicates: Readonly<Record<string, string>> = {
  name: 'name',
  iname: 'name (any case)',
  path: 'path',
  wholename: 'path',
  regex: 'pattern',
  mtime: 'age in days',
  mmin: 'age in minutes',
  atime: 'last access in days',
  amin: 'last access in minutes',
  ctime: 'change in days',
  cmin: 'change in minutes',
  newer: 'being newer than a file',
  size: 'size',
  perm: 'permissions',
  user: 'owner',
  group: 'group',
  empty: 'emptiness',
  links: 'links',
  inum: 'inode',
  executable: 'being executable',
};
