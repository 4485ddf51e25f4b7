import type { Effect } from '@whetstone/contracts';
import { type CodeCall, callsIn, longestCode } from './code.js';
import { type Findings, type Found, found } from './findings.js';
import { isElsewhere, isRoot, isStartup } from './operand-classes.js';
import { readSql } from './sql.js';

/** A call by the end of its name: `os.remove` with what stands before its dot, `rmtree` whatever it is called on, `^eval` alone. */
export interface CodeRow {
  effect: Effect;
  names: string;
  yes: string;
  no: string;
}

export const codeRows: readonly CodeRow[] = [
  {
    effect: 'destroys_all',
    names: 'dropDatabase|drop_database|flushall|flushdb',
    yes: 'db.dropDatabase()',
    no: 'db.getName()',
  },
  {
    effect: 'destroys',
    names:
      'os.remove|os.unlink|os.removedirs|unlink|rmtree|rmdir|rm_rf|unlinkSync|rmSync|rmdirSync|fs.rm|fsp.rm|promises.rm|send2trash|File.delete|FileUtils.rm',
    yes: "os.remove('a.txt')",
    no: "names.remove('a.txt')",
  },
  {
    effect: 'destroys',
    names: 'deleteOne|deleteMany|delete_one|delete_many|drop_collection|os.kill|os.killpg|process.kill',
    yes: 'db.users.deleteMany({})',
    no: 'db.users.find({})',
  },
  {
    effect: 'changes',
    names:
      'os.rename|os.replace|os.makedirs|os.mkdir|os.symlink|os.link|os.chown|os.chmod|os.truncate|shutil.copy|shutil.copy2|shutil.copyfile|shutil.copytree|shutil.move|makedirs|copytree|copyfile',
    yes: "os.rename('a', 'b')",
    no: "text.replace('a', 'b')",
  },
  {
    effect: 'changes',
    names:
      'write_text|write_bytes|writeFile|writeFileSync|appendFile|appendFileSync|mkdirSync|renameSync|copyFileSync|chmodSync|createWriteStream|file_put_contents|json.dump|pickle.dump|np.save|joblib.dump|savefig|to_csv|to_excel|to_sql|to_parquet',
    yes: "fs.writeFileSync('a', b)",
    no: "fs.readFileSync('a')",
  },
  {
    effect: 'changes',
    names: 'insert_one|insert_many|update_one|update_many|insertOne|insertMany|updateOne|updateMany|replaceOne',
    yes: 'db.users.insertOne({})',
    no: 'db.users.findOne({})',
  },
  {
    effect: 'connects',
    names:
      'requests.get|requests.post|requests.put|requests.patch|requests.delete|requests.head|requests.request|httpx.get|httpx.post|httpx.put|axios.get|axios.post|axios.put|urlopen|urlretrieve|https.get|https.request|http.get|http.request|^fetch|^axios|create_connection',
    yes: "requests.get('https://example.com')",
    no: "requests.get('http://localhost:8000')",
  },
  {
    effect: 'connects',
    names:
      'ClientSession|HTTPConnection|HTTPSConnection|socket.socket|smtplib.SMTP|SMTP_SSL|ftplib.FTP|SSHClient|net.connect|net.createConnection|WebSocket|XMLHttpRequest|fsockopen|TCPSocket.new',
    yes: "smtplib.SMTP('mail.example.com')",
    no: "shop.get('mail')",
  },
  {
    effect: 'changes',
    names: 'requests.post|requests.put|requests.patch|httpx.post|httpx.put|axios.post|axios.put',
    yes: "requests.post('http://localhost', json=x)",
    no: "requests.get('http://localhost')",
  },
  {
    effect: 'destroys',
    names: 'requests.delete|httpx.delete|axios.delete',
    yes: "requests.delete('http://localhost/a')",
    no: "requests.get('http://localhost/a')",
  },
  { effect: 'opens_shell', names: 'pty.spawn', yes: "pty.spawn('/bin/sh')", no: "pool.spawn('task')" },
  {
    effect: 'installs',
    names: 'pip.main|micropip.install|_internal.main|install.packages',
    yes: "pip.main(['install', 'x'])",
    no: "app.main(['x'])",
  },
];

/** Words of a script without its blanks, in lower case. */
export const codeTexts: readonly { effect: Effect; text: string; yes: string; no: string }[] = [
  { effect: 'disables_safeguard', text: 'verify=false', yes: 'get(url, verify=False)', no: 'get(url, verify=True)' },
  {
    effect: 'disables_safeguard',
    text: 'rejectunauthorized:false',
    yes: '({ rejectUnauthorized: false })',
    no: '({ rejectUnauthorized: true })',
  },
  {
    effect: 'disables_safeguard',
    text: 'cert_none',
    yes: 'context.verify_mode = ssl.CERT_NONE',
    no: 'context.verify_mode = ssl.CERT_REQUIRED',
  },
  {
    effect: 'disables_safeguard',
    text: '_create_unverified_context',
    yes: 'ssl._create_unverified_context()',
    no: 'ssl.create_default_context()',
  },
  {
    effect: 'disables_safeguard',
    text: 'check_hostname=false',
    yes: 'context.check_hostname = False',
    no: 'context.check_hostname = True',
  },
  {
    effect: 'runs_fetched',
    text: 'trust_remote_code=true',
    yes: "load('x', trust_remote_code=True)",
    no: "load('x', trust_remote_code=False)",
  },
];

const rowsByEnd = new Map<string, { row: CodeRow; name: string }[]>();
for (const row of codeRows) {
  for (const name of row.names.split('|')) {
    const end = lastPart(name.replace(/^\^/, ''));
    rowsByEnd.set(end, [...(rowsByEnd.get(end) ?? []), { row, name }]);
  }
}

const runsShell = new Set(
  'os.system os.popen system popen subprocess.run subprocess.call subprocess.Popen subprocess.check_output subprocess.check_call subprocess.getoutput subprocess.getstatusoutput Popen check_output check_call getoutput execSync spawnSync spawn execFile execFileSync child_process.exec shell_exec passthru proc_open capture3 capture2e os.execvp os.execv create_subprocess_shell create_subprocess_exec'.split(
    ' ',
  ),
);
const runsSql = new Set(
  'execute executescript executemany read_sql read_sql_query exec_driver_sql query raw prepare text sql'.split(' '),
);
const fetchedOrDecoded = [
  'urlopen',
  'requests.',
  'fetch(',
  'b64decode',
  'a85decode',
  '.decode(',
  'fromhex',
  'atob(',
  'buffer.from',
  'zlib',
  'marshal',
  'codecs',
  'http',
];

/** What a script or a cell does, by the calls in it; what it hands to a shell or a database is read as that. */
export function codeEffects(text: string): Findings {
  const all = found();
  if (text.length > longestCode) all.add('unreadable');
  const code = withoutShellLines(text.slice(0, longestCode), all);
  const defined = namesDefined(code);
  for (const call of callsIn(code)) if (!defined.has(call.name)) addCall(call, all);
  const packed = code.toLowerCase().replace(/\s/g, '');
  for (const row of codeTexts) if (packed.includes(row.text)) all.add(row.effect);
  const socket = packed.includes('socket') || packed.includes('fsockopen');
  const shell = ['dup2', '/bin/sh', '/bin/bash', '/bin/zsh', 'cmd.exe', 'powershell'].some((word) =>
    packed.includes(word),
  );
  if (socket && shell) all.add('opens_shell');
  if (/(?:^|[;{}\s])print[^;{}\n]{0,200}>\s*"/.test(code.slice(0, 20_000))) all.add('changes');
  return all;
}

/** `!ls` and `%pip install x` in a notebook, a whole cell behind `%%bash`. */
function withoutShellLines(text: string, all: Found): string {
  if (/^%%(?:bash|sh)\b/.test(text)) {
    all.executed.push({ kind: 'command', text: text.slice(text.indexOf('\n') + 1) });
    return '';
  }
  if (!/^\s*[!%]/m.test(text)) return text;
  const lines = text.split('\n');
  for (const line of lines) {
    const command = /^\s*(?:!|%(?=pip |conda |sh ))(.*)$/.exec(line)?.[1];
    if (command !== undefined) all.executed.push({ kind: 'command', text: command });
  }
  return lines.filter((line) => !/^\s*[!%]/.test(line)).join('\n');
}

/** Functions of its own: their bodies are read, their names say nothing. */
function namesDefined(code: string): Set<string> {
  return new Set([...code.matchAll(/\b(?:def|function|class)\s{1,20}(\w{1,100})/g)].map((match) => match[1] ?? ''));
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function addCall(call: CodeCall, all: Found): void {
  const end = lastPart(call.name);
  for (const { row, name } of rowsByEnd.get(end) ?? []) {
    if (matches(call.name, name) && !(row.effect === 'connects' && isOwn(call))) all.add(row.effect);
  }
  const [first] = call.strings;
  if (all.effects.has('destroys') && first !== undefined && isRoot(first) && /rm|remove/.test(end))
    all.add('destroys_all');
  if (end === 'open' && writesTo(call)) {
    all.add('changes');
    if (first !== undefined && isStartup(first)) all.add('persists');
  }
  if (/chmod/.test(end) && /0?o?777|0?o?666|S_IWOTH|S_ISUID/.test(call.given)) all.add('widens_rights');
  if (runsShell.has(call.name) || runsShell.has(end) || (end === 'exec' && call.name !== 'exec')) addShell(call, all);
  else if (call.name === 'eval' || call.name === 'exec' || call.name === 'Function') addEvaluated(call, all);
  if (runsSql.has(end) && first !== undefined && readSql(first) !== undefined)
    all.executed.push({ kind: 'sql', text: first });
  addToolLike(call, all);
}

function matches(called: string, name: string): boolean {
  if (name.startsWith('^')) return called === name.slice(1);
  return called === name || called.endsWith(`.${name}`);
}

function isOwn({ strings: [first] }: CodeCall): boolean {
  return first !== undefined && !isElsewhere(first);
}

function writesTo({ strings, given }: CodeCall): boolean {
  return (
    (strings.length > 1 && /^[rbt]{0,2}[wax]/.test(strings[1] ?? '')) ||
    /(?:,|mode=)\s{0,9}["'][rbt]{0,2}[wax]/.test(given)
  );
}

/** What is given to a shell as text is read as that; anything else cannot be told. `re.exec(text)` runs nothing. */
function addShell(call: CodeCall, all: Found): void {
  const [first] = call.strings;
  if (first === undefined) {
    if (lastPart(call.name) !== 'exec' && lastPart(call.name) !== 'spawn') all.add('unreadable');
    return;
  }
  if (call.name.endsWith('.exec') && !/\s/.test(first) && !call.isList) return;
  const text = call.isList || call.strings.length > 1 ? call.strings.map(quoted).join(' ') : first;
  all.executed.push({ kind: 'command', text });
}

function quoted(word: string): string {
  return /^[\w@%+=:,./$-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function addEvaluated(call: CodeCall, all: Found): void {
  const given = call.given.toLowerCase();
  const [first] = call.strings;
  if (fetchedOrDecoded.some((word) => given.includes(word))) all.add('runs_fetched');
  else if (first !== undefined) all.executed.push({ kind: 'code', text: first });
  else if (!/^compile\(\s{0,9}["']/.test(given)) all.add('unreadable');
}

const taking = new Set('delete cancel destroy purge wipe terminate revoke'.split(' '));
const acting = new Set(
  'send book pay refund transfer purchase submit publish schedule modify exchange return place'.split(' '),
);

/** `cancel_order(…)`: tools that an agent calls as functions of its own. */
function addToolLike({ name }: CodeCall, all: Found): void {
  if (name.includes('.') || !/[a-z](?:_|[A-Z])/.test(name)) return;
  const word = /^[a-z]{1,20}/.exec(name)?.[0] ?? '';
  if (taking.has(word)) all.add('destroys');
  if (acting.has(word)) all.add('changes');
}
