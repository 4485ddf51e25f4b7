import { cookiesAt } from './headers.js';
import type { Span } from './secret-kinds.js';
import type { ValueReader } from './secret-values.js';

/**
 * How a program is given a password: `-pX`, `-p X`, or either; after `user:`, `user%` or `user,`, or as cookies. A program
 * with `of` only does so in that subcommand.
 */
interface PasswordFlag {
  programs: string;
  flags: string;
  written: 'attached' | 'apart' | 'either';
  after?: ':' | '%' | ',' | 'cookies' | undefined;
  of?: RegExp | undefined;
}

const passwordFlags: readonly PasswordFlag[] = [
  {
    programs:
      'mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlbinlog mariadb mariadb-dump mariadb-admin',
    flags: '-p',
    written: 'attached',
  },
  { programs: 'sshpass', flags: '-p', written: 'either' },
  { programs: 'redis-cli valkey-cli redis-benchmark', flags: '-a --pass', written: 'apart' },
  {
    programs: 'mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat',
    flags: '-p',
    written: 'either',
  },
  { programs: 'cqlsh rabbitmqadmin evil-winrm psexec rdesktop influx', flags: '-p', written: 'apart' },
  {
    programs: 'ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami ldapcompare',
    flags: '-w',
    written: 'either',
  },
  { programs: 'ldappasswd', flags: '-s -a', written: 'apart' },
  { programs: 'smbclient rpcclient smbget smbcacls net', flags: '-U --user', written: 'either', after: '%' },
  { programs: 'curl', flags: '-u --user -U --proxy-user -E --cert', written: 'either', after: ':' },
  { programs: 'curl', flags: '-b --cookie', written: 'either', after: 'cookies' },
  { programs: 'curl', flags: '--oauth2-bearer --pass --proxy-pass', written: 'apart' },
  { programs: 'http https xh xhs', flags: '-a --auth', written: 'either', after: ':' },
  { programs: 'skopeo buildah podman crane', flags: '--creds --src-creds --dest-creds', written: 'apart', after: ':' },
  { programs: 'docker podman nerdctl buildah skopeo helm crane oras', flags: '-p', written: 'apart', of: /\slogin\s/ },
  { programs: 'az', flags: '-p', written: 'apart', of: /\slogin\s/ },
  { programs: 'lftp', flags: '-u --user', written: 'apart', after: ',' },
  { programs: 'sqlcmd bcp osql isql tsql mosquitto_pub mosquitto_sub ipmitool', flags: '-P', written: 'either' },
  { programs: 'zip unzip zipcloak', flags: '-P', written: 'apart' },
  { programs: '7z 7za 7zz rar unrar', flags: '-p -hp', written: 'attached' },
  { programs: 'snmpwalk snmpget snmpset snmpbulkwalk snmptrap', flags: '-A -X', written: 'apart' },
  { programs: 'gh', flags: '-b --body', written: 'apart', of: /\ssecret\s+set\s/ },
  { programs: 'keytool jarsigner', flags: '-storepass -keypass -srcstorepass -deststorepass', written: 'apart' },
  { programs: 'ssh-keygen', flags: '-N -P', written: 'apart' },
  {
    programs: 'aws',
    flags: '--value',
    written: 'apart',
    of: /\sput-parameter\s.*(?:SecureString|password|secret|token|key)/i,
  },
  { programs: 'wpa_cli doctl', flags: '-t --access-token', written: 'apart' },
];

interface PasswordPlace {
  programs: string;
  /** Read from the end of the program's name. */
  place: RegExp;
}

/** Programs that take a password by its place. */
const passwordPlaces: readonly PasswordPlace[] = [
  { programs: 'htpasswd', place: /(?:\s+-\w+)*\s+-\w*b\w*(?:\s+-\w+)*\s+\S+\s+\S+\s+(?<secret>[^\s;|&]+)/dy },
  { programs: 'net', place: /\s+use\s+(?:[A-Za-z]:\s+)?\\\\\S+\s+(?:\/user:\S+\s+)?(?!\/)(?<secret>[^\s*]\S*)/diy },
  { programs: 'net', place: /\s+user\s+(?!\/)\S+\s+(?!\/)(?<secret>[^\s*]\S+)(?=\s|$)/diy },
  { programs: 'xfreerdp xfreerdp3 wfreerdp', place: /[^\n;|]{0,200}?\s\/p:["']?(?<secret>[^\s"']+)/dy },
  { programs: 'cmdkey', place: /[^\n;|]{0,200}?\s\/pass:["']?(?<secret>[^\s"']+)/diy },
  {
    programs: 'sqlplus sqlldr expdp impdp exp imp rman',
    place: /(?:\s+-\w+)*\s+["']?[\w$#]+\/(?<secret>[^\s@"'/]+)@/dy,
  },
  { programs: 'rabbitmqctl', place: /(?:\s+-\S+)*\s+(?:add_user|change_password)\s+\S+\s+["']?(?<secret>[^\s"']+)/dy },
  { programs: 'wpa_passphrase', place: /\s+\S+\s+["']?(?<secret>[^\s"']{8,})/dy },
  {
    programs: 'echo printf',
    place: /\s+(?:-\w+\s+)?["']?[\w.-]+:(?<secret>[^\s"'|:]+)["']?\s*\|\s*(?:sudo\s+)?chpasswd/dy,
  },
  {
    programs: 'echo printf',
    place:
      /\s+(?:-\w+\s+)?["']?(?<secret>[^\s"'|]+)["']?\s*\|\s*(?:sudo\s+(?:-\w+\s+)*-\w*S|(?:sudo\s+)?passwd\s+--stdin|[\w-]+\s+login\s[^\n|;]{0,200}--password-stdin)/dy,
  },
  { programs: 'kubectl oc', place: /[^\n;|&]{0,300}?\s--from-literal[= ]["']?[\w.-]+=["']?(?<secret>[^\s"']+)/dy },
  { programs: 'ConvertTo-SecureString', place: /(?:\s+-\w+){0,4}\s+["'](?<secret>[^"'$\n]+)["']/dy },
  { programs: 'cargo vault', place: /\s+login\s+["']?(?<secret>[A-Za-z0-9._-]{20,})/dy },
  { programs: 'poetry', place: /\s+config\s+http-basic\.\S+\s+\S+\s+["']?(?<secret>[^\s"']+)/dy },
  { programs: 'chpasswd', place: /\s*<<<\s*["']?[\w.-]+:(?<secret>[^\s"']+)/dy },
];

/** What is known of a program. */
export interface Program {
  flags: readonly (Omit<PasswordFlag, 'flags' | 'programs'> & { flag: string })[];
  places: readonly RegExp[];
}

export const programs: ReadonlyMap<string, Program> = new Map(
  [...new Set([...passwordFlags, ...passwordPlaces].flatMap((row) => row.programs.split(' ')))].map((name) => [
    name.toLowerCase(),
    {
      flags: passwordFlags
        .filter((row) => row.programs.split(' ').includes(name))
        .flatMap(({ flags, written, after, of }) => flags.split(' ').map((flag) => ({ flag, written, after, of }))),
      places: passwordPlaces.filter((row) => row.programs.split(' ').includes(name)).map(({ place }) => place),
    },
  ]),
);

/** The password that stands at its place after the name of a program. */
export function passwordsAtPlaces(text: string, program: Program, programEnd: number): Span[] {
  for (const place of program.places) {
    place.lastIndex = programEnd;
    const [from, to] = place.exec(text)?.indices?.groups?.['secret'] ?? [];
    if (from !== undefined && to !== undefined && isPassword(text.slice(from, to)))
      return [{ from, to, kind: 'password' }];
  }
  return [];
}

/** A command that is being read. */
export interface Command {
  program: Program;
  programEnd: number;
}

const longestCommand = 1024;
/** In a list of arguments, as in `["redis-cli", "-a", "hunter2"]`. */
const nextInList = /\\?["'],[ \t]{0,4}(?=\\?["'])/y;

/** The password that the option at `start` gives to the program. */
export function passwordsOfFlag(
  text: string,
  { program, programEnd }: Command,
  start: number,
  end: number,
  values: ValueReader,
): Span[] {
  if (start - programEnd > longestCommand) return [];
  for (const { flag, written, after, of } of program.flags) {
    if (!text.startsWith(flag, start) || start + flag.length > end) continue;
    if (of && !of.test(text.slice(programEnd, start))) continue;
    const from = startOfArgument(text, flag, start, written);
    if (from === undefined) continue;
    const spans = after === 'cookies' ? cookiesIn(text, from) : passwordIn(argumentAt(text, from, values), after);
    if (spans.length > 0) return spans;
  }
  return [];
}

function startOfArgument(
  text: string,
  flag: string,
  start: number,
  written: PasswordFlag['written'],
): number | undefined {
  const flagEnd = start + flag.length;
  const next = text.charAt(flagEnd);
  if (next === ' ' || (next === '=' && flag.length > 2)) {
    if (written === 'attached') return undefined;
    let from = flagEnd + 1;
    while (text[from] === ' ') from += 1;
    return from;
  }
  nextInList.lastIndex = flagEnd;
  if (written !== 'attached' && nextInList.test(text)) return nextInList.lastIndex;
  // A quote that was opened before the option ends it.
  if (next === text.charAt(start - 1) || next === '\\') return undefined;
  return written === 'apart' && next !== '"' && next !== "'" ? undefined : flagEnd;
}

function cookiesIn(text: string, from: number): Span[] {
  return cookiesAt(text, text[from] === '"' || text[from] === "'" ? from + 1 : from);
}

interface Argument {
  value: string;
  from: number;
  to: number;
}

const bareArgument = /[^\s;|&<>()"'`\\]{1,256}/y;

function argumentAt(text: string, from: number, values: ValueReader): Argument {
  bareArgument.lastIndex = from;
  if (!bareArgument.test(text)) return values.at(from);
  const to = bareArgument.lastIndex;
  return { value: text.slice(from, to), from, to };
}

function passwordIn(found: Argument, after: PasswordFlag['after']): Span[] {
  const skipped = after === undefined ? 0 : found.value.indexOf(after) + 1;
  if (after !== undefined && skipped === 0) return [];
  const value = found.value.slice(skipped);
  // `-u 1000:1000` is a user and a group.
  if (!isPassword(value) || (after === ':' && /^\d+:\d+$/.test(found.value))) return [];
  return [{ from: found.from + skipped, to: found.to, kind: 'password' }];
}

function isPassword(value: string): boolean {
  return value.length >= 2 && !/^(?:[$<{[%-]|\*+$|x{3,}$|env:|file:|\[REDACTED)/.test(value);
}

const passArgument = /:["']?(?<secret>[^\s"'$<{;|&]{2,256})/dy;

/** `-passin pass:X` of openssl. `pass` ends at `wordEnd`. */
export function passwordOfOpenssl(text: string, wordEnd: number): Span | undefined {
  if (
    text.charCodeAt(wordEnd) !== 58 ||
    !' ='.includes(text.charAt(wordEnd - 5)) ||
    !/-pass(?:in|out)?[ =]pass$/.test(text.slice(Math.max(0, wordEnd - 14), wordEnd))
  ) {
    return undefined;
  }
  passArgument.lastIndex = wordEnd;
  const [from, to] = passArgument.exec(text)?.indices?.groups?.['secret'] ?? [];
  return from === undefined || to === undefined ? undefined : { from, to, kind: 'password' };
}
