import { interpreters } from './programs.js';
import { nestsCommands, shells } from './shell-nesting.js';
import { type ShellCommand, valuesOf } from './shell-words.js';

/** What resolves relative paths. */
export interface ShellContext {
  /** Set by an earlier `cd`. */
  directory: string | undefined;
}

type OperandClass = (operand: string, context: ShellContext) => boolean;

const words = (list: string) => new Set(list.split(' '));
const startsWithAny = (text: string, beginnings: readonly string[]) =>
  beginnings.some((beginning) => text.startsWith(beginning));

const systemFolders = words(
  'etc usr var bin sbin lib lib64 boot home root opt dev sys proc srv mnt media Users System Library Windows',
);
const homes = words('$HOME %USERPROFILE% $env:USERPROFILE');
const everything = words('* ** .* {*,.*}');
const drive = /^[A-Za-z]:$/;
/** `${HOME}`, or `${DIR:-/tmp}` with its default. */
const braced = /^\$\{(\w{1,40})(?::?[-=](.{1,100}))?\}/;

/** The root, a home or a system directory, with or without a trailing `/*`. */
export function isRoot(operand: string): boolean {
  const path = operand.slice(0, 400).replace(/^["']|["']$/g, '');
  const [expansion = '', variable, fallback] = braced.exec(path) ?? [];
  if (fallback && expansion === path && !fallback.startsWith('$')) return isRoot(fallback);
  const parts: string[] = [];
  for (const part of (variable ? `$${variable}${path.slice(expansion.length)}` : path).split(/[/\\]/)) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  if (everything.has(parts.at(-1) ?? '')) parts.pop();
  const [first = '', second = '', third] = parts;
  if (startsWithAny(path, ['/', '\\']))
    return first === '' || (second === '' && (systemFolders.has(first) || startsWithAny(first, [...'*?[{'])));
  if (second !== '') return third === undefined && drive.test(first) && systemFolders.has(second);
  return first.startsWith('~') || homes.has(first) || drive.test(first);
}

/** The current directory, its parents, or everything in one of them. */
const currentFolderPattern = /^(?:\.{1,2}\/){0,20}(?:\.{1,2}|\*|\.\*)?\/?$/;

/** Everything in the current directory; narrow after a `cd` to a named directory. */
function isHere(operand: string, { directory }: ShellContext): boolean {
  const isNamed = directory !== undefined && !isRoot(directory) && !currentFolderPattern.test(directory);
  return (
    operand !== '' && operand !== '/' && currentFolderPattern.test(operand) && (!isNamed || operand.startsWith('..'))
  );
}

const localHost =
  /^(?:[a-z+]{2,8}:\/\/)?(?:[^/@\s]{0,80}@)?(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|\[?::1\]?)(?:[:/]|$)/i;

/** Whether a URL or host is another machine. */
export function isElsewhere(operand: string): boolean {
  return operand !== '-' && operand !== '' && !localHost.test(operand);
}

const startupFiles = words(
  '.bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zprofile .zshenv .kshrc .cshrc .xinitrc .xprofile authorized_keys rc.local crontab ld.so.preload',
);
const startupFolders = (
  '/etc/profile/ /etc/bash.bashrc/ /etc/zshrc/ /etc/environment/ /cron/ /cron. /systemd/system/ /systemd/user/ ' +
  '/init.d/ /profile.d/ /autostart/ /LaunchAgents/ /LaunchDaemons/ .git/hooks/ .husky/ \\Startup\\ .claude/ .cursor/ .codex/'
).split(' ');

export function isStartup(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return startupFiles.has(name) || startupFolders.some((place) => `${path}/`.includes(place));
}

/** They say which machine a name leads to. */
const resolverFiles = words('/etc/hosts /etc/resolv.conf');

const rightsFiles = 'sudoers passwd shadow group gshadow pam.d doas.conf security/'.split(' ');

export function isRightsFile(path: string): boolean {
  return path.startsWith('/etc/') && startsWithAny(path.slice('/etc/'.length), rightsFiles);
}

const devices = 'sd hd vd xvd nvme mmcblk disk mapper loop dm- mem kmem port'.split(' ');
const guards = words(
  'firewalld ufw iptables nftables auditd apparmor selinux fail2ban clamav clamd clamav-daemon falcon-sensor ossec wazuh-agent osqueryd rsyslog syslog windefend mdatp falco sentinelone snort suricata',
);
const powerfulGroups = words('sudo wheel docker admin root adm lxd disk shadow administrators libvirt');

export const operandClasses: Record<string, OperandClass> = {
  root: isRoot,
  here: isHere,
  elsewhere: isElsewhere,
  url: (operand) =>
    (operand.includes('://') || operand.startsWith('git@') || operand.endsWith('.tgz')) && isElsewhere(operand),
  remote: (operand) => operand.indexOf(':') > 0 && !operand.split(':', 1)[0]?.includes('/'),
  startup: isStartup,
  rights: isRightsFile,
  resolver: (operand) => resolverFiles.has(operand),
  device: (operand) => operand.startsWith('/dev/') && startsWithAny(operand.slice('/dev/'.length), devices),
  socket: (operand) => /^(?:\w{1,20}=)?\/dev\/(?:tcp|udp)\//.test(operand),
  host: (operand) => (operand.includes('.') || operand.includes('$')) && isElsewhere(operand),
  rootowner: (operand) => /^(?:root|0)(?:[:.]|$)|^:root$/.test(operand),
  null: (operand) => operand === '/dev/null',
  // `1e rm x` and `s/a/b/e` execute commands.
  sedexec: (operand) => /^[\d,$]{0,20}e\s|;\s{0,9}e\s|[^\\\w\s]e$/.test(operand),
  everyone: (operand) => operand === '-1',
  bucket: (operand) => /^(?:s3|gs):\/\/[^/]{1,100}\/?\*{0,2}$/.test(operand),
  guard: (operand) => guards.has(operand.toLowerCase().replace('.service', '')),
  powerful: (operand) => operand.split(',').some((group) => powerfulGroups.has(group.toLowerCase())),
  wide: isWide,
};

/** World-writable, setuid or setgid modes. */
function isWide(mode: string): boolean {
  if (/^[0-7]{3,4}$/.test(mode)) return (Number.parseInt(mode, 8) & 0o6002) !== 0;
  return mode.split(',').some((clause) => {
    const [, who = '', rights = ''] = /^([ugoa]{0,4})[+=]([rwxXst]{1,6})$/.exec(clause) ?? [];
    return rights.includes('s') || (rights.includes('w') && (who.includes('o') || who.includes('a')));
  });
}

const disablingWords = words('no disable skip ignore allow without bypass dangerously trusted trust');
const safeguards = words(
  'verify verification checks cert certs certificate certificates ssl tls security sandbox gpg signature signatures auth authentication unauthenticated validation validate hooks hook guard protection firewall policy safety host permissions',
);

/** `--no-verify`, `--skip-tls-verify`, `--insecure`: recognised by the words of the option. */
export function disablesSafeguard(option: string): boolean {
  if (!option.startsWith('--')) return false;
  const [first = '', ...rest] = option.slice(2).toLowerCase().split('-');
  if (first === 'insecure' || first === 'nogpgcheck' || first === 'unsafe') return true;
  return disablingWords.has(first) && rest.some((word) => safeguards.has(word));
}

/** Whether a URL leads to a host on the network, rather than to this machine or a neighbour such as `http://db`. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z+]{1,11}:\/\/[^\s/]{0,100}\.[^\s]/i.test(text) && isElsewhere(text);
}

/** A word that is a URL, or a setting with one: `--url=https://a.example`, `http_proxy=http://a.example`. */
export function namesAddress({ words }: ShellCommand): boolean {
  return words.some(({ value, text }) => isAddress((value ?? text).replace(/^[\w.-]{1,80}=/, '')));
}

const gitKeys =
  /^(?:core\.(?:sshcommand|pager|editor|fsmonitor|askpass|gitproxy)|sequence\.editor|include(?:if\..*)?\.path|pager\..*|diff\.external|credential\..*|gpg\..*program|.*\.(?:textconv|driver|clean|smudge|process|cmd))$/;
/** Everyday editors, pagers and helpers, with options: `vim`, `code --wait`, `store`. */
const plainProgram =
  /^(?:|:|true|false|cat|less|more|delta|vim?|nvim|nano|emacs|code|store|cache|osxkeychain|manager|libsecret)(?: --?[\w-]{1,30})*$/;

/** `git config` and `git -c` with a value that git runs. */
export function runsByGit(command: ShellCommand): boolean {
  const { operands } = command;
  const given = valuesOf(command, '-c').map((setting) => setting.split(/=(.*)/s));
  const [key = '', value = ''] = operands[0] === 'config' ? operands.slice(operands[1] === 'set' ? 2 : 1) : [];
  return [...given, [key, value]].some(
    ([name = '', run = '']) => run.startsWith('!') || (gitKeys.test(name.toLowerCase()) && !plainProgram.test(run)),
  );
}

/** `sh x`, `|cmd`, `!cmd`, `system(…)`, as a part of an argument. */
const commandInside =
  /(?:^|[\s;|&!`(="':])(?:ba|z|da|k)?sh[\s,]+(?:-\w|[/.~$\w])|\b(?:system|shell-command)\s*["'(]|^\s*\\?!\s*\w|^\.(?:shell|system)\b|^\|\s*\w/;
/** `--pdf-engine=/tmp/x`, `-fplugin=./x.so` */
const runsValue = /(?:program|command|plugin|pager|editor|wrapper|engine|preload|rsh|filter|browser)[=,]?$/;
/** A program of one's own, not one of the system's. */
const ownProgram = /^(?:\.{0,2}|~|\/tmp|\/var\/tmp|\/dev\/shm|\/home\/[^/]+)\/\S/;
const anybodysFolder = /^(?:\/tmp|\/var\/tmp|\/dev\/shm)\//;
/** Their arguments are texts to find, to show or to record. What git runs has rows of its own. */
const takesTexts = words(
  'echo printf grep egrep fgrep zgrep rg ag ack test [ [[ jq yq logger note notify-send git gh expr export',
);

/** Whether a program is given a command in an option or in a language of its own: `man -P 'sh x' ls`, `sort --compress-program=./x`. */
export function hidesCommand({ program, words: all }: ShellCommand): boolean {
  if (nestsCommands(program) || interpreters.has(program) || takesTexts.has(program)) return false;
  const texts = all.slice(1).map(({ value, text }) => value ?? text);
  return texts.some((text, at) => {
    const [option = '', ...value] = text.split('=');
    if (text.startsWith('-') && value.length > 0 && runsValue.test(option) && ownProgram.test(value.join('=')))
      return true;
    return commandInside.test(text) || (runsValue.test(texts[at - 1] ?? '') && ownProgram.test(text));
  });
}

const startsCode =
  /^(?:PYTHONSTARTUP|PERL5OPT|RUBYOPT|LESSOPEN|LESSCLOSE|NODE_OPTIONS|JAVA_TOOL_OPTIONS|PATH|PYTHONPATH)=/;
const startedCode = /--(?:require|import)\b|-javaagent|^["']?\|/;

/** Whether the value of a variable gets run: `GIT_SSH_COMMAND='sh x'`, `PATH=/tmp/x:$PATH`. */
export function hidesInVariable(assignment: string): boolean {
  const value = assignment.slice(assignment.indexOf('=') + 1).replace(/^["']/, '');
  if (commandInside.test(value)) return true;
  return startsCode.test(assignment) && (startedCode.test(value) || anybodysFolder.test(value));
}

const sourcing = words('. source');

/** Runs a file from a folder that anybody may write to: `sh /tmp/x`, `/tmp/x`, `python /tmp/x.py`. */
export function runsAnybodysFile({ program, operands, options, words: [first] }: ShellCommand): boolean {
  if (anybodysFolder.test(first?.value ?? '')) return true;
  const takesFile = nestsFiles(program) && !options.includes('-c') && !options.includes('-m');
  return takesFile && anybodysFolder.test(operands[0] ?? '');
}

function nestsFiles(program: string): boolean {
  return shells.has(program) || interpreters.has(program) || sourcing.has(program);
}

const mounted = /^(?:-v|--volume=|--mount=)?(?:type=bind,)?(?:source=|src=)?((?:\/|~|\$HOME)[^:,]{0,200})[:,]/;

/** Mounts the root, a system directory or the Docker socket into a container. */
export function mountsHost(command: ShellCommand): boolean {
  return command.words.some(({ value, text }) => {
    const source = mounted.exec(value ?? text)?.[1];
    return source !== undefined && (isRoot(source) || source.endsWith('docker.sock'));
  });
}
