import type { Effect } from '@whetstone/contracts';
import { wordsOf } from '../actions/call-names.js';
import { type CodeCall, callsIn, longestCode } from '../actions/code.js';
import { isElsewhere, isRoot, isStartup } from '../shell/operand-classes.js';
import { readSql } from '../sql/sql.js';
import { cmdletEffects } from './cmdlet-effects.js';
import { createFindings, type EffectRow, type Findings, type FindingsBuilder, rowsOf } from './effect-table.js';
import { settingEffects, withoutComments } from './setting-effects.js';

/** Calls by the end of their name: `os.remove` needs its prefix, `rmtree` matches on any object, `^fetch` only as a bare call. */
export const codeRows: readonly EffectRow[] = rowsOf({
  destroys_all: [['dropDatabase|drop_database|flushall|flushdb', 'db.dropDatabase()', 'db.getName()']],
  destroys: [
    ['os.remove|os.removedirs|unlink|rmtree|rmdir|rm_rf', "os.remove('a')", "names.remove('a')"],
    ['unlinkSync|rmSync|rmdirSync|removeSync|Deno.remove|fs.rm|fsp.rm|promises.rm', "fs.rm('a')", "list.rm('a')"],
    ['deleteOne|deleteMany|delete_one|delete_many|drop_collection', 'db.users.deleteMany({})', 'db.users.find({})'],
    ['os.kill|os.killpg|process.kill', 'os.kill(1, 9)', 'os.getpid()'],
  ],
  widens_rights: [
    ['grantRolesToUser|grantPrivilegesToRole', "db.grantRolesToUser('ann', ['root'])", "db.getUser('ann')"],
  ],
  disables_safeguard: [['db.adminCommand', 'db.adminCommand({ setParameter: 1 })', 'db.stats()']],
  changes: [
    ['os.rename|os.replace|os.mkdir|os.symlink|os.link|os.truncate', "os.rename('a', 'b')", "a.replace('a', 'b')"],
    [
      'os.chown|os.chmod|shutil.copy|shutil.copy2|shutil.move|makedirs|copytree|copyfile',
      "shutil.move('a', 'b')",
      'copy.copy(a)',
    ],
    ['write_text|write_bytes|file_put_contents|to_csv|to_excel|to_sql|to_parquet', "df.to_csv('a')", 'df.to_dict()'],
    ['json.dump|pickle.dump|joblib.dump|np.save|savefig', 'json.dump(a, b)', 'json.dumps(a)'],
    ['writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream', "fs.writeFile('a', b)", "fs.readFile('a')"],
    ['mkdirSync|renameSync|copyFileSync|chmodSync', "fs.mkdirSync('a')", "fs.statSync('a')"],
    ['insert_one|insert_many|update_one|update_many', 'db.users.insert_one({})', 'db.users.find_one({})'],
    ['insertOne|insertMany|updateOne|updateMany|replaceOne', 'db.users.insertOne({})', 'db.users.findOne({})'],
    [
      'click|dblclick|check|uncheck|setChecked|set_checked|press|selectOption|select_option|setInputFiles|set_input_files',
      "page.getByLabel('Digest').uncheck()",
      "page.getByLabel('Digest').isChecked()",
    ],
  ],
  connects: [
    [
      'urlopen|urlretrieve|^fetch|^axios|ClientSession|HTTPConnection|HTTPSConnection',
      "fetch('https://a.b')",
      "rows.fetch('a')",
    ],
    [
      'socket.socket|create_connection|net.connect|net.createConnection|fsockopen',
      "net.connect(80, 'a.b')",
      "db.connect('a')",
    ],
    [
      'smtplib.SMTP|SMTP_SSL|ftplib.FTP|SSHClient|WebSocket|XMLHttpRequest',
      "smtplib.SMTP('a.example')",
      "shop.get('mail')",
    ],
    ['IMPORTDATA|IMPORTXML|IMPORTHTML|IMPORTFEED|WEBSERVICE', '=IMPORTDATA("https://a.b")', '=SUM(A1:A9)'],
  ],
  opens_shell: [['pty.spawn', "pty.spawn('/bin/sh')", "pool.spawn('task')"]],
  installs: [
    ['pip.main|micropip.install|_internal.main|install.packages', "pip.main(['install', 'x'])", "app.main(['x'])"],
  ],
});

const clients = new Set(['requests', 'httpx', 'axios', 'http', 'https']);
const methods = new Map<string, Effect | undefined>([
  ['get', undefined],
  ['head', undefined],
  ['request', undefined],
  ['post', 'changes'],
  ['put', 'changes'],
  ['patch', 'changes'],
  ['delete', 'destroys'],
]);

/** Text of a script, in lower case and without white space. */
export const codeTexts: readonly EffectRow[] = rowsOf({
  disables_safeguard: [
    ['verify=false', 'get(url, verify=False)', 'get(url, verify=True)'],
    ['rejectunauthorized:false', '({ rejectUnauthorized: false })', '({ rejectUnauthorized: true })'],
    ['cert_none', 'context.verify_mode = ssl.CERT_NONE', 'context.verify_mode = ssl.CERT_REQUIRED'],
    ['_create_unverified_context', 'ssl._create_unverified_context()', 'ssl.create_default_context()'],
    ['check_hostname=false', 'context.check_hostname = False', 'context.check_hostname = True'],
  ],
  destroys_all: [
    ['rmtree(os.path.expanduser', "shutil.rmtree(os.path.expanduser('~'))", "shutil.rmtree('build')"],
    ['rmtree(path.home', 'shutil.rmtree(Path.home())', "shutil.rmtree(Path('build'))"],
  ],
  widens_rights: [
    ['is_superuser=true', 'user.update(is_superuser=True)', 'user.update(is_superuser=False)'],
    ['is_admin=true', 'User(name=x, is_admin=True)', 'User(name=x, is_admin=False)'],
    ['is_staff=true', 'user.update(is_staff=True)', 'user.update(is_staff=False)'],
  ],
  connects: [['newimage().src=', "new Image().src = '//a.b'", "new Image().alt = 'a'"]],
  runs_fetched: [
    ['trust_remote_code=true', "load('x', trust_remote_code=True)", "load('x', trust_remote_code=False)"],
    ['importscripts(', "importScripts('x.js')", "import 'x.js'"],
    ["createelement('script')", "document.createElement('script')", "document.createElement('table')"],
    ['createelement("script")', 'document.createElement("script")', 'document.createElement("table")'],
  ],
  unreadable: [
    ['__import__(', "__import__('o' + 's')", 'import os'],
    ['constructor._load(', "module.constructor._load('x')", "require('x')"],
  ],
});

const rowsByEnd = new Map<string, { row: EffectRow; name: string }[]>();
for (const row of codeRows) {
  for (const name of row.pattern.split('|')) {
    const end = lastPart(name.replace('^', ''));
    rowsByEnd.set(end, [...(rowsByEnd.get(end) ?? []), { row, name }]);
  }
}

const runsShell = new Set(
  (
    'system popen os.execute subprocess.run subprocess.call Popen check_output check_call getoutput getstatusoutput ' +
    'execSync spawnSync spawn execFile execFileSync shell_exec passthru proc_open os.execvp os.execv create_subprocess_shell ' +
    'create_subprocess_exec'
  ).split(' '),
);
const runsSql = new Set(
  'execute executescript executemany read_sql read_sql_query query raw prepare text sql'.split(' '),
);
const fetchedOrDecoded =
  'urlopen requests. fetch( b64decode .decode( fromhex atob( buffer.from zlib marshal codecs http'.split(' ');
const shellNames = ['dup2', '/bin/sh', '/bin/bash', '/bin/zsh', 'cmd.exe', 'powershell'];
const openModes = ['777', '666', 'S_IWOTH', 'S_ISUID'];

/** Effects of the calls in a script or notebook cell. Text passed to a shell or a database is read as such. */
export function codeEffects(text: string, only?: 'known'): Findings {
  const findings = createFindings();
  if (text.length > longestCode) findings.add('unreadable');
  const code = withoutShellLines(text.slice(0, longestCode), findings);
  const defined = namesDefined(code);
  for (const call of callsIn(code)) if (!defined.has(call.name)) addCall(call, findings);
  for (const [, command = ''] of code.matchAll(shellInBackticks))
    findings.executed.push({ kind: 'command', text: command });
  for (const [, command = ''] of code.matchAll(shellInLatex))
    findings.executed.push({ kind: 'command', text: command });
  for (const effect of cmdletEffects(code)) findings.add(effect);
  if (!only && actsOnSomething(code)) findings.add('changes');
  const packed = packedText(code);
  for (const effect of codeTextEffects(code)) findings.add(effect);
  const socket = packed.includes('socket') || packed.includes('fsockopen');
  if (socket && shellNames.some((name) => packed.includes(name))) findings.add('opens_shell');
  if (/\bprint[^;{}\n]{0,200}> ?"/.test(code.slice(0, 20_000))) findings.add('changes');
  return findings;
}

/** Ruby, Perl and PHP run what stands in back-ticks; in other languages it is text, and rarely begins like this. */
const shellInBackticks = /`\s*((?:ba|z|da|k)?sh\s[^`\n]{1,500})`/g;

/** `\write18{…}`, `\input{|"…"}` */
const shellInLatex = /\\(?:write18|ShellEscape|input\s?\{\|)\s?[{"]?([^}"\n]{1,500})/g;

function packedText(code: string): string {
  return code.toLowerCase().replace(/\s/g, '');
}

/** Effects of a text that is not executed now: code and settings in a file. */
export function codeTextEffects(code: string): Set<Effect> {
  const packed = packedText(withoutComments(code));
  const found = codeTexts.filter(({ pattern }) => packed.includes(pattern)).map(({ effect }) => effect);
  return new Set([...found, ...settingEffects(code).effects]);
}

const blockHeader = /^(?:for|with|while|if|elif|else|try|async)\b[^:]{0,200}:\s(?=\S)/;
const inBrackets = String.raw`\((?:[^()]|\([^()]*\)){0,300}\)|\[[^\]]{0,200}\]`;
/** `shop.set_price(…)`, `valve(3).open()` */
const bareMethod = new RegExp(
  String.raw`^(?:await )?([A-Za-z_$]\w*)(\()?(?:(?<=\()(?:[^()]|\([^()]*\)){0,300}\))?(?:\.\w+|${inBrackets})*\.([A-Za-z_]\w*)\(.*\)$`,
);
/** `row.hidden = True` */
const setAttribute = new RegExp(String.raw`^([A-Za-z_$]\w*)(?:\.\w+|${inBrackets})*\.[A-Za-z_]\w*\s?=(?!=)`);
const ownVariable =
  /^[ \t]*(?:(?:const|let|var) )?(\w+)(?:: [\w[\], ]{1,60})? ?= ?(?:\[|\{|["']|(?:\w+\.)?(?:set|dict|list|defaultdict|Counter|deque)\(|new (?:Map|Set))/gm;
/** They print, draw, wait or count. */
const harmless = new Set(
  'self this print console logging logger log plt ax fig sns st sys time random gc warnings np pd math'.split(' '),
);
/** They read, compute or collect; what `execute` does is read from its SQL. */
const lookingMethod =
  /^(?:get|read|list|find|is|has|show|print|items|keys|values|append|extend|push|info|debug|join|split|format|close|seek|group|stat|exists|predict|fit|map|filter|sort|count|add_argument|parse|execute|commit)/;
const mostStatements = 400;

/**
 * A method is called for its effect rather than for its result: inside a block or, on a thing such as `valve(3)`, before the last
 * statement.
 */
function actsOnSomething(code: string): boolean {
  if (/\.write(?:Stream)?\./.test(code)) return true;
  const own = new Set([...code.matchAll(ownVariable)].map(([, name]) => name));
  const statements = code
    .split(/[\n;]/)
    .filter((line) => line.trim() !== '')
    .slice(0, mostStatements);
  return statements.some((line, at) => {
    const header = blockHeader.exec(line.trim())?.[0] ?? '';
    const statement = line.trim().slice(header.length, header.length + 500);
    const isInBlock = header !== '' || /^\s/.test(line);
    const [, root = '', thing, method = ''] = bareMethod.exec(statement) ?? [];
    const isCalled = isInBlock || (thing !== undefined && at + 1 < statements.length);
    const acts = isCalled && root !== '' && !lookingMethod.test(method);
    const of = acts ? root : isInBlock ? setAttribute.exec(statement)?.[1] : undefined;
    return of !== undefined && !own.has(of) && !harmless.has(of);
  });
}

const cellMagics = new Set(['%%bash', '%%sh']);
const lineMagics = new Set(['%pip', '%conda', '%sh']);

/** Notebook magics: `!ls`, `%pip install x`, and whole `%%bash` cells. */
function withoutShellLines(text: string, findings: FindingsBuilder): string {
  const lines = text.split('\n');
  if (cellMagics.has(text.split(/\s/, 1)[0] ?? '')) {
    findings.executed.push({ kind: 'command', text: lines.slice(1).join('\n') });
    return '';
  }
  const kept = lines.filter((line) => {
    const bare = line.trimStart();
    if (bare.startsWith('!') || lineMagics.has(bare.split(' ', 1)[0] ?? ''))
      findings.executed.push({ kind: 'command', text: bare.slice(1) });
    return !bare.startsWith('!') && !bare.startsWith('%');
  });
  return kept.join('\n');
}

/** Functions that the script defines: their bodies are read, so their names do not count. */
function namesDefined(code: string): Set<string> {
  return new Set([...code.matchAll(/\b(?:def|function)\s{1,20}(\w{1,100})/g)].map((match) => match[1] ?? ''));
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function addCall(call: CodeCall, findings: FindingsBuilder): void {
  const end = lastPart(call.name);
  for (const { row, name } of rowsByEnd.get(end) ?? []) {
    if (matches(call.name, name) && !(row.effect === 'connects' && isLocal(call))) findings.add(row.effect);
  }
  addRequest(call, findings);
  const [first] = call.strings;
  if (
    findings.effects.has('destroys') &&
    first !== undefined &&
    isRoot(first) &&
    (end.includes('rm') || end.includes('remove'))
  )
    findings.add('destroys_all');
  // A collection; what drops rows or columns says which.
  if (end === 'drop' && call.name !== end && call.given.trim() === '') findings.add('destroys');
  if (call.strings.some(isUrlElsewhere) && !opensPage(end) && !loaders.has(end)) findings.add('connects');
  if (end === 'open' && writesTo(call)) {
    findings.add('changes');
    if (first !== undefined && isStartup(first)) findings.add('persists');
  }
  if (end.startsWith('chmod') && openModes.some((mode) => call.given.includes(mode))) findings.add('widens_rights');
  if (loaders.has(call.name) && /^https?:/i.test(first ?? '')) findings.add('runs_fetched');
  if (end === 'require' && call.given.includes('+')) findings.add('unreadable');
  if (runsShell.has(call.name) || runsShell.has(end) || (end === 'exec' && call.name !== 'exec'))
    addShell(call, findings);
  else if (call.name === 'eval' || call.name === 'exec' || call.name === 'Function') addEvaluated(call, findings);
  if (runsSql.has(end) && first !== undefined && readSql(first) !== undefined)
    findings.executed.push({ kind: 'sql', text: first });
  addToolLike(call, findings);
  addMethod(call, findings);
}

/** Whatever is done with it, something is sent there, be it only the request. */
function isUrlElsewhere(text: string): boolean {
  return /^[a-z][a-z+]{1,11}:\/\/[^\s/]/i.test(text) && !namespace.test(text) && isElsewhere(text);
}

const namespace = /^https?:\/\/(?:www\.w3\.org|schemas\.[\w.]{1,60})\//;
const opening = new Set('goto get visit navigate open load read'.split(' '));

/** `page.goto(…)`, `pd.read_csv(…)` */
function opensPage(end: string): boolean {
  return opening.has(wordsOf(end)[0] ?? '');
}

/** Of JavaScript and R. */
const loaders = new Set(['import', 'source']);

function addRequest(call: CodeCall, findings: FindingsBuilder): void {
  const [client = '', method = ''] = call.name.split('.').slice(-2);
  if (!clients.has(client) || !methods.has(method)) return;
  if (!isLocal(call)) findings.add('connects');
  const effect = methods.get(method);
  if (effect) findings.add(effect);
}

function matches(called: string, name: string): boolean {
  if (name.startsWith('^')) return called === name.slice(1);
  return called === name || called.endsWith(`.${name}`);
}

function isLocal({ strings: [first] }: CodeCall): boolean {
  return first !== undefined && !isElsewhere(first);
}

function writesTo({ given }: CodeCall): boolean {
  return /(?:,|mode=)\s{0,9}["'][rbt]{0,2}[wax]/.test(given);
}

/** A literal string is read as shell, anything else is unreadable. `re.exec(text)` runs nothing. */
function addShell(call: CodeCall, findings: FindingsBuilder): void {
  const [first] = call.strings;
  if (first === undefined) {
    if (lastPart(call.name) !== 'exec' && lastPart(call.name) !== 'spawn') findings.add('unreadable');
    return;
  }
  if (call.name.endsWith('.exec') && !first.includes(' ') && !call.isList) return;
  const text = call.isList || call.strings.length > 1 ? call.strings.map(quoted).join(' ') : first;
  findings.executed.push({ kind: 'command', text });
}

function quoted(word: string): string {
  return word.includes('$') && !word.includes(' ') ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function addEvaluated(call: CodeCall, findings: FindingsBuilder): void {
  const given = call.given.toLowerCase();
  const [first] = call.strings;
  if (fetchedOrDecoded.some((word) => given.includes(word))) findings.add('runs_fetched');
  else if (first !== undefined) findings.executed.push({ kind: 'code', text: first });
  else if (!given.startsWith('compile("') && !given.startsWith("compile('")) findings.add('unreadable');
}

/** In memory, `remove`, `add` and the like change nothing that outlives the script. */
const changingMethods = new Set(
  'update save send publish upload create upsert restart reboot stop deploy archive disable enable approve'.split(' '),
);

/** Of libraries that nobody knows: `bucket.objects.all().delete()`, `queue_purge(…)`, `message.send()`. */
function addMethod({ name, of }: CodeCall, findings: FindingsBuilder): void {
  if (of === undefined || runsShell.has(lastPart(name))) return;
  const words = wordsOf(lastPart(name));
  const [first = ''] = words;
  if (words.some((word) => destroyingVerbs.has(word)) || (of === 'result' && first === 'remove'))
    findings.add(of === 'result' ? 'destroys' : 'changes');
  else if (changingMethods.has(first) || changingVerbs.has(first)) findings.add('changes');
}

const destroyingVerbs = new Set('delete cancel destroy purge wipe terminate revoke'.split(' '));
const changingVerbs = new Set(
  'send book pay refund transfer purchase submit publish schedule modify exchange return place'.split(' '),
);

/** Tools that an agent calls as plain functions: `cancel_order(…)`. */
function addToolLike({ name }: CodeCall, findings: FindingsBuilder): void {
  const [word = '', ...more] = wordsOf(name);
  if (name.includes('.') || more.length === 0 || !name.startsWith(word)) return;
  if (destroyingVerbs.has(word)) findings.add('destroys');
  if (changingVerbs.has(word)) findings.add('changes');
}
