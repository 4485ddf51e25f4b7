import { commandRows } from '../effects/effect-table.js';

/** Programs that only read, compute or print whatever their options; they write only through redirections. */
export const readingPrograms =
  words(`ls dir tree cat tac bat less more head tail nl od xxd hexdump strings file stat wc sort uniq cut paste join comm column tr
  rev fold grep egrep fgrep zgrep rg ag awk gawk mawk sed find fd locate which whereis type whoami who w id groups uptime date cal
  uname hostname arch nproc free df du lsblk lsof lscpu lspci lsusb lsmod lvs vgs pvs ps pstree pgrep top htop vmstat iostat netstat ss
  ip ifconfig route arp env printenv locale echo printf true false yes seq test [ [[ expr bc basename dirname realpath readlink pwd cd
  pushd popd diff cmp md5sum sha1sum sha256sum sha512sum cksum base64 base32 jq yq xmllint zcat bzcat xzcat man info help history alias bind compgen
  jobs fg bg wait sleep read let local declare typeset export unset set shopt return exit break continue shift : exec time ulimit umask
  tput clear reset stty tty getent getconf getfacl getcap lsattr journalctl dmesg sysctl timedatectl hostnamectl loginctl watch xargs shuf
  uuidgen mktemp nslookup dig host ping traceroute whois openssl ssh-keygen gpg curl wget http pytest eslint tsc mypy ruff flake8
  shellcheck get-childitem get-content select-string get-process get-service write-output where-object identify ffprobe exiftool dc expand factor last look numfmt users whatis
  smartctl pdftotext tesseract getenforce pidof trap eval nvidia-smi dpkg-query apt-cache mountpoint findmnt blkid test-path`);

/** Options with which programs of the list above do write. */
export const writingOptions = new Map<string, readonly string[]>(
  Object.entries({
    sed: ['-i', '--in-place'],
    awk: ['-i'],
    gawk: ['-i'],
    yq: ['-i', '--inplace'],
    sort: ['-o', '--output'],
    find: ['-fprint', '-fprintf', '-fls'],
    sysctl: ['-w', '-p'],
    date: ['-s', '--set'],
    curl: ['-o', '-O', '--output', '--remote-name'],
    wget: ['-O', '-P', '-r', '-m', '-c'],
    gpg: ['--import', '--gen-key', '--delete-keys', '--delete-secret-keys', '-o'],
    'ssh-keygen': ['-t', '-R', '-A'],
    openssl: ['-out'],
    eslint: ['--fix'],
    ruff: ['--fix'],
    dmesg: ['-c', '-C'],
    journalctl: ['--vacuum-time', '--vacuum-size', '--rotate'],
  }),
);

/** Other common programs, to recognise a command by its first word. */
const otherPrograms =
  words(`python python3 python2 py node ruby perl php sqlite3 psql mysql mongosh mongo bq mkdir zip unzip gzip gunzip bzip2 xz 7z split
  patch rename mount groupadd vim vi nano emacs ed screen tmux mvn gradle gh heroku vercel ansible ansible-playbook vagrant sh bash zsh
  dash java javac gcc g++ clang rustc ffmpeg convert magick sudo su docker-compose pg_dump pg_restore mysqldump createdb alembic flask
  django-admin rails rake nohup hub lt trash csplit flyctl code`);

/** Sub-commands that only read, for programs without rows: `kubectl get`, `inhouse-cli list`. */
export const readingWords =
  words(`get list ls show status describe view log logs info help version diff search find query read cat print inspect check validate
  verify lint test explain top ps images history blame whoami env events stats grep plan output graph shortlog rev-parse ls-files
  ls-tree ls-remote cat-file reflog outdated audit why tree doctor policy depends count exists preview report which
  api-resources api-versions cluster-info can-i is-active is-enabled is-failed show-ref for-each-ref merge-base df fsck lookup`);

/** Words for destruction in the names of sub-commands, tools and functions. */
export const destroyingWords =
  words(`delete remove rm del drop purge destroy wipe uninstall autoremove erase prune kill terminate cancel revoke rmi unpublish
  deregister cleanup clean flush evict empty undeploy teardown discard void trash forget unlink truncate`);

/** Words for changes. What follows one is an object: `deploy status-page`. */
export const changingWords =
  words(`create add update set write send book deploy apply run start restart stop build commit checkout merge push pull rebase reset
  init import export upload move copy edit patch scale exec use switch enable disable register login logout save post put submit
  transfer pay refund assign rename insert modify change schedule install upgrade grant invite publish release rollback order buy
  reserve exchange return approve reject close reply email notify mark tag share unshare forward`);

/** Also English words: starting a line with one proves nothing. */
const ordinaryWords =
  words(`find sort cut paste join who date file test fold split watch read wait sleep help history type info host top more less make go
  at format kill batch service install set unset export return exit break continue shift local declare let yes true false reset clear
  alias jobs convert patch rename mount screen ed http port pkg snap erase net mail halt groups free strings dig ping man identify eval
  bore column route which passwd bc w id ip ss py rails flask rake gem cargo dc expand
  factor hub last look lt numfmt trash users whatis code`);

const known = new Set([
  ...readingPrograms,
  ...otherPrograms,
  ...commandRows.flatMap(({ pattern }) => programsOf(pattern)),
]);
const reaching = new Set(
  commandRows
    .filter(({ effect, pattern }) => effect === 'connects' && !pattern.endsWith('@resolver'))
    .flatMap(({ pattern }) => programsOf(pattern)),
);

export function isProgram(name: string): boolean {
  return known.has(name);
}

/** One line that begins with a known program. Told without parsing. */
export function isPlainCommand(text: string): boolean {
  const [, program] = /^([a-z][\w.-]*) [^\n(){}]+$/.exec(text) ?? [];
  return program !== undefined && isProgram(program);
}

/** Whether the name belongs to a program and to no English word. */
export function isKnownProgram(name: string): boolean {
  return known.has(name) && !ordinaryWords.has(name);
}

export function reaches(program: string): boolean {
  return reaching.has(program);
}

function programsOf(pattern: string): string[] {
  return pattern.split(' ', 1)[0]?.split('|') ?? [];
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
