import type { ShellCommand } from './shell-words.js';

/** What the commands before it tell: where a relative path is. */
export interface Standing {
  /** The directory that the script went to, if it did. */
  directory: string | undefined;
}

type OperandClass = (operand: string, standing: Standing) => boolean;

const systemPlaces = new Set(
  'etc usr var bin sbin lib lib64 boot home root opt dev sys proc srv mnt media Users System Library Windows'.split(
    ' ',
  ),
);

/** The whole machine, a home or a directory that the system lives in, with or without `/*` behind it. */
export function isRoot(operand: string): boolean {
  const path = operand.slice(0, 400).replace(/^["']|["']$/g, '');
  const fallback = /^\$\{\w{1,40}:?[-=](.{1,100})\}$/.exec(path)?.[1];
  if (fallback !== undefined && !fallback.startsWith('$')) return isRoot(fallback);
  const parts: string[] = [];
  for (const part of path.replace(/^\$\{(\w{1,40})\}/, '$$$1').split(/[/\\]+/)) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  // What is behind the place itself, if it is all that the place holds.
  if (/^(?:\*{1,2}|\.\*|\{\*,\.\*\})$/.test(parts.at(-1) ?? '')) parts.pop();
  const [first = '', second] = parts;
  if (/^[/\\]/.test(path))
    return first === '' || (second === undefined && (/^[*?[{]/.test(first) || systemPlaces.has(first)));
  if (second !== undefined) return /^[A-Za-z]:$/.test(first) && systemPlaces.has(second) && parts.length === 2;
  return /^(?:~[\w.-]{0,30}|\$HOME|%USERPROFILE%|\$env:USERPROFILE|[A-Za-z]:)$/.test(first);
}

/** Nothing but this place, those above it, and all that they hold. */
const herePattern = /^(?:\.{1,2}\/){0,20}(?:\.{1,2}|\*|\.\*)?\/?$/;

/** Everything where the script stands: harmless where it first went to a place that it names. */
function isHere(operand: string, standing: Standing): boolean {
  const { directory } = standing;
  const named = directory !== undefined && !isRoot(directory) && !herePattern.test(directory);
  return operand !== '' && operand !== '/' && herePattern.test(operand) && !(named && !operand.startsWith('..'));
}

const ownHost =
  /^(?:[a-z+]{2,8}:\/\/)?(?:[^/@\s]{1,80}@)?(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|\[?::1\]?)(?:[:/]|$)/i;

/** Whether a URL or a host is another machine than this one. */
export function isElsewhere(operand: string): boolean {
  return operand !== '-' && operand !== '' && !ownHost.test(operand);
}

const startupPlaces =
  /(?:^|\/)(?:\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zprofile|zshenv|kshrc|cshrc|xinitrc|xprofile)|authorized_keys|rc\.local|crontab|ld\.so\.preload)$|\/(?:cron(?:\.\w{1,10}|tabs)?|systemd\/(?:system|user)|init\.d|profile\.d|autostart|Launch(?:Agents|Daemons))(?:\/|$)|(?:^|\/)\.(?:git\/hooks|husky)(?:\/|$)|\\Startup\\|\/etc\/(?:profile|bash\.bashrc|zshrc|environment)$/;

export function isStartup(path: string): boolean {
  return startupPlaces.test(path);
}

export function isRightsFile(path: string): boolean {
  return /^\/etc\/(?:sudoers|passwd|shadow|group|gshadow|pam\.d|doas\.conf|security\/)/.test(path);
}

export function isDevice(path: string): boolean {
  return /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|mapper|loop|dm-|mem|kmem|port)/.test(path);
}

const guards = new Set(
  'firewalld ufw iptables nftables auditd apparmor selinux fail2ban clamav clamd clamav-daemon falcon-sensor ossec wazuh-agent osqueryd rsyslog syslog windefend mdatp falco sentinelone snort suricata'.split(
    ' ',
  ),
);
const powerfulGroups = new Set('sudo wheel docker admin root adm lxd disk shadow administrators libvirt'.split(' '));

export const operandClasses: Record<string, OperandClass> = {
  root: isRoot,
  here: isHere,
  elsewhere: isElsewhere,
  url: (operand) => /^[a-z+]{2,12}:\/\/|^git@|\.tgz$/.test(operand) && isElsewhere(operand),
  remote: (operand) => /^[\w.@-]{1,100}:|^rsync:\/\//.test(operand),
  startup: isStartup,
  rights: isRightsFile,
  device: isDevice,
  socket: (operand) => /^\/dev\/(?:tcp|udp)\//.test(operand),
  host: (operand) => /[.$]/.test(operand) && isElsewhere(operand.replace(/^@/, '')),
  rootowner: (operand) => /^(?:root|0)(?:[:.]|$)|^:root$/.test(operand),
  null: (operand) => operand === '/dev/null',
  // `1e rm x` and `s/a/b/e` run what they are given.
  sedexec: (operand) => /^[\d,$]{0,20}e\s|;\s{0,9}e\s|[^\\\w\s]e$/.test(operand),
  everyone: (operand) => operand === '-1',
  bucket: (operand) => /^(?:s3|gs):\/\/[^/]{1,100}\/?\*{0,2}$/.test(operand),
  guard: (operand) => guards.has(operand.toLowerCase().replace(/\.service$/, '')),
  powerful: (operand) => operand.split(',').some((group) => powerfulGroups.has(group.toLowerCase())),
  wide: isWide,
};

/** A mode that lets everybody write, or gives a program its owner's rights. */
function isWide(mode: string): boolean {
  if (/^[0-7]{3,4}$/.test(mode)) return /[2367]$/.test(mode) || /^[2-7][0-7]{3}$/.test(mode);
  return (
    /^[ugoa]{0,4}[+=][rwxXst]{1,6}$/.test(mode) &&
    (/[+=][rwxXt]*s/.test(mode) || /^[ug]{0,2}[oa][ugoa]{0,3}[+=][rxXst]*w/.test(mode))
  );
}

const refusing = new Set([
  'no',
  'disable',
  'skip',
  'ignore',
  'allow',
  'without',
  'bypass',
  'dangerously',
  'trusted',
  'trust',
]);
const safeguards = new Set(
  'verify verification checks cert certs certificate certificates ssl tls security sandbox gpg signature signatures auth authentication unauthenticated validation validate hooks hook guard protection firewall policy safety host permissions'.split(
    ' ',
  ),
);

/** `--no-verify`, `--skip-tls-verify`, `--insecure`, `--ignore-certificate-errors`: by the words of its name. */
export function isUnguarding(option: string): boolean {
  if (!option.startsWith('--')) return false;
  const [first = '', ...rest] = option.slice(2).toLowerCase().split('-');
  if (first === 'insecure' || first === 'nogpgcheck' || first === 'unsafe') return true;
  return refusing.has(first) && rest.some((word) => safeguards.has(word));
}

/** A container that is given the machine, or a directory that the system lives in. */
export function mountsHost(command: ShellCommand): boolean {
  return command.words.some(({ value, text }) => {
    const word = value ?? text;
    const source = /^(?:-v|--volume=|--mount=)?(?:type=bind,)?(?:source=|src=)?((?:\/|~|\$HOME)[^:,]{0,200})[:,]/.exec(
      word,
    )?.[1];
    return source !== undefined && (isRoot(source) || source.endsWith('docker.sock'));
  });
}
