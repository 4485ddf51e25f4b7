import { wordsOf } from '../actions/call-names.js';
import { disablesSafeguard, isAddress, isElsewhere, isRoot } from '../shell/operand-classes.js';
import { createFindings, type EffectRow, type Findings, rowsOf } from './effect-table.js';

/**
 * Settings in any notation: `key: value`, `key = value`, `"key": ["value"]`. `pattern`: the last words of the key (`*`: any),
 * then its values or a class of them.
 */
export const settingRows: readonly EffectRow[] = rowsOf({
  // As `docker run --privileged`: rights over the machine.
  runs_fetched: [
    ['privileged|host-pid|host-ipc @on', 'hostPID: true', 'hostPID: false'],
    ['pid|ipc host', 'pid: "host"', 'pid: 4711'],
    ['add ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE', 'capabilities:\n  add:\n  - SYS_ADMIN', 'add: [CHOWN]'],
  ],
  widens_rights: [
    ['host-network|allow-privilege-escalation @on', 'hostNetwork: true', 'hostNetwork: false'],
    ['network-mode|userns-mode host', 'network_mode: host', 'network_mode: bridge'],
    ['run-as-non-root @off', 'runAsNonRoot: false', 'runAsNonRoot: true'],
    ['run-as-user 0', 'runAsUser: 0', 'runAsUser: 1000'],
    ['verb|verbs|resources *', 'verbs:\n  - "*"', 'verbs: ["get"]'],
    ['action|actions @anything', 'Action = ["s3:*"]', '"Action": "s3:GetObject", "Resource": "*"'],
    ['principal|principals|aws|identifiers *', '"Principal": {"AWS": "*"}', '"Principal": {"AWS": "1234"}'],
    ['permissions write-all|*', 'permissions: write-all', 'permissions: read-all'],
    ['acl public-read|public-read-write', 'acl = "public-read"', 'acl = "private"'],
    ['* allUsers|allAuthenticatedUsers', 'member = "allUsers"', 'member = "user:ann@example.com"'],
    ['* cluster-admin|roles/owner|roles/editor', 'roleRef:\n  name: cluster-admin', 'name: view'],
    ['policy-arn|arn|policy @administrator', 'policy_arn = "arn:aws:iam::aws:policy/AdministratorAccess"', 'arn = "x"'],
    [
      'source-ranges|source-address-prefix|source-address-prefixes|authorized-networks @everywhere',
      'source_ranges = ["0.0.0.0/0"]',
      'source_ranges = ["10.0.0.0/8"]',
    ],
  ],
  disables_safeguard: [
    ['trusted yes', 'deb [trusted=yes] https://deb.debian.org ./', 'deb [arch=amd64] https://deb.debian.org ./'],
    ['trusted-host @host', '[global]\ntrusted-host = pip.example.com', 'trusted-proxy = pip.example.com'],
    ['insecure-registries @any', '"insecure-registries": ["a.example:5000"]', '"insecure-registries": []'],
    ['algorithm|algorithms|alg none', 'algorithms: ["none"]', 'algorithms: ["HS256"]'],
    ['gpgcheck|sslverify @off', 'gpgcheck=0', 'gpgcheck=1'],
    ['node-tls-reject-unauthorized 0', "NODE_TLS_REJECT_UNAUTHORIZED: '0'", 'NODE_ENV: test'],
  ],
  // Packages, or everything that is fetched, come from elsewhere.
  connects: [
    [
      'registry|index-url|find-links|goproxy @address',
      'registry=https://npm.example.com/',
      'registry=https://registry.npmjs.org/',
    ],
    ['registry-mirrors @address', '"registry-mirrors": ["http://a.example"]', '"registry-mirrors": []'],
    ['http-proxy|https-proxy|all-proxy @port', 'HTTPS_PROXY=203.0.113.4:3128', 'HTTPS_PROXY=localhost:3128'],
    ['proxy @address', 'ENV http_proxy=http://203.0.113.4:3128', '"proxy": "http://localhost:3000"'],
  ],
  unreadable: [
    ['proxy-command|local-command @any', "ansible_ssh_common_args='-o ProxyCommand=nc x 22'", 'proxy_commands: 3'],
    ['helper|ssh-command|editor|pager @shell', '[credential]\n\thelper = "!f() { date; }; f"', 'helper = store'],
  ],
  installs: [['uses @action', '- uses: some-org/setup@main', '- uses: actions/checkout@v4']],
});

/** Text anywhere in what is written, by regular expression. */
export const textRows: readonly EffectRow[] = rowsOf({
  runs_fetched: [
    [
      '\\b(?:curl|wget)\\b[^\\n|]{0,300}\\|\\s{0,5}(?:sudo )?(?:ba|z)?sh\\b',
      'RUN curl https://a.b | sh',
      'RUN curl https://a.b',
    ],
  ],
  connects: [
    ['/(?:dev|inet)/(?:tcp|udp)/', "open('/dev/tcp/192.0.2.1/80', 'w')", "open('/dev/null', 'w')"],
    [
      '^\\s{0,9}deb(?:-src)? (?:\\[[^\\]\\n]{0,99}\\] )?https?://(?!deb\\.debian\\.org|[\\w.]{0,30}\\.ubuntu\\.com)',
      'deb http://a.example ./',
      'deb http://deb.debian.org/debian stable main',
    ],
    [
      '^\\s{0,9}--(?:extra-)?index-url[ =]https?://(?!pypi\\.org|[\\w.]{0,20}pytorch\\.org)',
      '--index-url https://a.example',
      '--index-url https://pypi.org/simple',
    ],
    [
      '<mirror>[^\\0]{0,300}<url>https?://',
      '<mirror><id>a</id><url>http://a.example</url></mirror>',
      '<url>http://a.example</url>',
    ],
    ['^baseurl=https?://', '[x]\nbaseurl=http://a.example/', 'baseURL = "http://a.example/"'],
  ],
  widens_rights: [['nopasswd:\\s{0,3}all', 'bob ALL=(ALL) NOPASSWD: ALL', 'bob ALL=(ALL) /bin/ls']],
  disables_safeguard: [
    ['\\b(?:unsafeloader|unsafe_load)\\b', 'yaml.load(f, Loader=yaml.UnsafeLoader)', 'yaml.safe_load(f)'],
    ['\\b(?:ssl_)?verify_none\\b', 'http.verify_mode = OpenSSL::SSL::VERIFY_NONE', 'VERIFY_PEER'],
    [
      'ssl_verify(?:peer|host), ?(?:false|0)',
      'curl_setopt($c, CURLOPT_SSL_VERIFYPEER, false)',
      'CURLOPT_SSL_VERIFYPEER, true',
    ],
    ['danger\\w{0,30}accept\\w{0,40}', 'builder.danger_accept_invalid_certs(true)', 'builder.accept()'],
    ['insecureignorehostkey|autoaddpolicy', 'HostKeyCallback: ssh.InsecureIgnoreHostKey()', 'ssh.FixedHostKey(key)'],
    [
      'noophostnameverifier|allow_all_hostname',
      'setHostnameVerifier(NoopHostnameVerifier.INSTANCE)',
      'HostnameVerifier v',
    ],
    ['\\bcsrf(?:_exempt\\b|\\(\\)\\.disable|\\w{0,20}::disable)', '@csrf_exempt', '@csrf_protect'],
    ['^\\s{0,9}permit(?:rootlogin|emptypasswords) yes', 'PermitRootLogin yes', 'PermitRootLogin no'],
    [
      '^\\s{0,9}host\\s[^\\n]{0,200}\\s(?:0\\.0\\.0\\.0/0|::/0|all)\\s{1,20}trust\\b',
      'host all all 0.0.0.0/0 trust',
      'host all all 127.0.0.1/32 trust',
    ],
    ['^\\s{0,9}protected-mode no\\b', 'protected-mode no', 'protected-mode yes'],
    ['tcpconnector\\([^)\\n]{0,80}ssl ?= ?false', 'aiohttp.TCPConnector(ssl=False)', 'aiohttp.TCPConnector(limit=5)'],
    [
      'hostnameverifier\\(\\(?[\\w, ]{1,30}\\)? ?-> ?true',
      'b.hostnameVerifier((h, s) -> true)',
      'b.hostnameVerifier(v)',
    ],
    ['stricthostkeychecking[ =]no\\b', 'Host *\n  StrictHostKeyChecking no', 'StrictHostKeyChecking yes'],
    // A condition that always holds.
    [
      `\\bor\\s{1,9}\\(?(["']?)(\\w{1,20})\\1\\s{0,3}=\\s{0,3}\\1\\2(?!\\w)`,
      `q = "SELECT * FROM t WHERE a = 'b' OR '1'='1'"`,
      `q = "WHERE 1 = 1 AND a = 'b' OR b = 'c'"`,
    ],
  ],
  unreadable: [['^\\s{0,9}proxycommand\\s{1,9}\\S', 'Host a\n  ProxyCommand nc b 22', 'Host a\n  ProxyJump b']],
});

const isOn = (value: string) => /^(?:true|yes|on|1|enabled)$/i.test(value);
const isOff = (value: string) => /^(?:false|no|off|0|disabled)$/i.test(value);
/** Where packages come from by default. */
const packageHosts =
  /^https?:\/\/(?:[\w-]{1,40}\.)?(?:npmjs\.org|yarnpkg\.com|pypi\.org|pythonhosted\.org|pytorch\.org|golang\.org|rubygems\.org|crates\.io)(?:\/|$)/;
const knownActions =
  /^(?:actions|github|docker|aws-actions|azure|google-github-actions|hashicorp|pypa)\/[\w./-]{1,100}@(?:v?\d|release\/v\d|[\da-f]{40})/i;

const classes: Record<string, (value: string) => boolean> = {
  '@on': isOn,
  '@off': isOff,
  '@any': () => true,
  '@anything': (value) => /^(?:[\w-]{1,40}:)?\*$/.test(value),
  '@everywhere': isEverywhere,
  '@administrator': (value) => value.endsWith('AdministratorAccess'),
  '@host': (value) => /^[\w-]{1,60}\./.test(value),
  '@address': (value) => isAddress(value) && !packageHosts.test(value),
  '@port': (value) => /^[\w-]{1,60}\.[\w.-]{1,100}:\d/.test(value) && isElsewhere(value),
  '@shell': (value) => value.startsWith('!'),
  '@action': (value) => /^[\w-]{1,60}\/[\w./-]{1,100}@/.test(value) && !knownActions.test(value),
};

const compiled = settingRows.map(({ effect, pattern }) => {
  const [keys = '', values = ''] = pattern.split(' ');
  const isOf = classes[values];
  const among = new Set(values.split('|'));
  return { effect, keys: keys.split('|'), fits: isOf ?? ((value: string) => among.has(value.replace(/^CAP_/, ''))) };
});
const texts = textRows.map(({ effect, pattern }) => ({ effect, pattern: new RegExp(pattern, 'im') }));

interface Setting {
  /** The words of the key, joined by dashes. */
  key: string;
  values: string[];
  start: number;
}

const longestText = 100_000;
const mostSettings = 5_000;
const written =
  /(?<key>[A-Za-z_$][\w$.-]{0,80})["'`]?\]?[ \t]{0,20}(?::=|=>|[:=](?![=:]))[ \t]{0,20}(?=\[(?<list>[^\]]{0,600})\]|(?<quoted>"[^"\n]{0,400}"|'[^'\n]{0,400}')|(?<items>(?:\n[ \t]{0,40}-[ \t]{1,9}[^\n:]{1,200}(?=\n|$)){1,30})|(?<bare>[^\s,;(){}[\]"'`<>]{1,300}))/g;

function settingsIn(text: string): Setting[] {
  const settings: Setting[] = [];
  for (const { groups = {}, index: start } of text.matchAll(written)) {
    const { key = '', list, quoted, items, bare } = groups;
    const values = (list?.split(',') ?? items?.split(/\n[ \t]*-/) ?? [quoted ?? bare ?? '']).map(unquoted);
    settings.push({ key: wordsOf(key).join('-'), values: values.filter((value) => value !== ''), start });
    if (settings.length >= mostSettings) break;
  }
  return settings;
}

function unquoted(value: string): string {
  return value.trim().replace(/^["']|["']$/g, '');
}

/** Effects of what is written into a file, given to a program or set in code: settings of rights, safeguards and sources. */
export function settingEffects(text: string): Findings {
  const findings = createFindings();
  const read = withoutComments(
    text
      .slice(0, longestText)
      .replace(/\\n/g, '\n')
      .replace(/\\(["'])/g, '$1'),
  );
  for (const { effect, pattern } of texts) if (pattern.test(read)) findings.add(effect);
  const all = settingsIn(read);
  const settings = onlyDenies(all) ? all.filter(({ key }) => !/actions?$/.test(key)) : all;
  for (const setting of settings) {
    for (const { effect, keys, fits } of compiled) {
      if (keys.some((key) => isCalled(setting, key)) && setting.values.some(fits)) findings.add(effect);
    }
    const [value = ''] = setting.values;
    if (switchesOff(setting.key, value)) findings.add('disables_safeguard');
    if (isPublic(setting.key, value) || opensPort(setting, read)) findings.add('widens_rights');
  }
  if (sharesCredentials(settings) || headers.every((header) => header.test(read))) findings.add('widens_rights');
  if (mountsRoot(read)) findings.add('runs_fetched');
  return findings;
}

export function withoutComments(text: string): string {
  return text.replace(/^[ \t]*(?:#|\/\/).*$/gm, '').replace(/[ \t](?:#|\/\/) .*$/gm, '');
}

function isCalled({ key }: Setting, name: string): boolean {
  return name === '*' || key === name || key.endsWith(`-${name}`);
}

/** `"Effect": "Deny", "Action": "*"` */
function onlyDenies(settings: readonly Setting[]): boolean {
  const effects = settings.filter(({ key }) => key === 'effect').map(({ values: [value = ''] }) => value.toLowerCase());
  return effects.length > 0 && effects.every((effect) => effect === 'deny');
}

const checking = new Set(
  'verify verification validate validation check reject strict require required enforce'.split(' '),
);
const protecting = new Set(
  'ssl tls cert certs certificate certificates hostname unauthorized signature csrf auth authentication gpg'.split(' '),
);
const guarding = new Set('csrf audit firewall selinux'.split(' '));

/** `rejectUnauthorized: false`, `csrf_enabled = False`, `skip_tls_verify: true`: by the words of the key. */
function switchesOff(key: string, value: string): boolean {
  const words = key.split('-');
  const skips = words.some((_, at) => disablesSafeguard(`--${words.slice(at).join('-')}`));
  if (skips || !isOff(value)) return skips && isOn(value);
  const isGuard = words.some((word) => guarding.has(word)) && /-(?:enabled?|protection|logging|log)$/.test(key);
  return isGuard || ['verify', 'deletion-protection'].includes(key) || (has(words, checking) && has(words, protecting));
}

function has(words: readonly string[], among: ReadonlySet<string>): boolean {
  return words.some((word) => among.has(word));
}

const opening = new Set('access accessible acl acls bucket buckets policy items network allow'.split(' '));
const closing = new Set('block ignore restrict deny prevent disable no'.split(' '));

/** `publicly_accessible = true`, `block_public_acls = false` */
function isPublic(key: string, value: string): boolean {
  const words = key.split('-');
  if ((!words.includes('public') && !words.includes('publicly')) || !has(words, opening)) return false;
  return has(words, closing) ? isOff(value) : isOn(value);
}

function isEverywhere(value: string): boolean {
  return ['0.0.0.0/0', '::/0', '*', 'Internet'].includes(value);
}

/** Inbound from everywhere, other than to a web server. */
function opensPort({ key, values, start }: Setting, text: string): boolean {
  if (!key.includes('cidr') || !values.some(isEverywhere)) return false;
  const before = text.slice(Math.max(0, start - 600), start);
  const [direction = ''] = before.match(/(?:in|e)gress|(?:in|out)bound/gi)?.slice(-1) ?? [];
  return (
    direction.toLowerCase().startsWith('in') &&
    !/port["']?\s{0,20}[:=]\s{0,3}["']?(?:80|443)\b/i.test(before.slice(-300))
  );
}

/** CORS for every origin, with credentials. */
function sharesCredentials(settings: readonly Setting[]): boolean {
  const isSet = (name: RegExp, fits: (value: string) => boolean) =>
    settings.some(({ key, values }) => name.test(key) && values.some(fits));
  return isSet(/(?:^|-)origins?$/, (value) => value === '*') && isSet(/(?:^|-)credentials$/, isOn);
}

const headers = [/allow-origin["'\],: ]{1,5}\*/i, /allow-credentials["'\],: ]{1,5}true/i];

const hostPath =
  /host_?path["']?\s{0,9}[:=]?\s{0,9}\{?\s{0,40}["']?path["']?\s{0,9}[:=]\s{0,9}["']?([^\s"',}]{1,200})/gi;
const bindMount = /^[ \t]{0,40}-[ \t]{1,9}["']?([/~][^:\s"']{0,200}):\//gm;

/** The root, a system directory or the Docker socket, mounted into a container. */
function mountsRoot(text: string): boolean {
  return [...text.matchAll(hostPath), ...text.matchAll(bindMount)].some(
    ([, source = '']) => isRoot(source) || source.endsWith('docker.sock'),
  );
}
