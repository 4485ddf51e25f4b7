import type { Effect } from '@whetstone/contracts';
import type { Action, Literal } from '../actions/action.js';
import { wordsOf } from '../actions/call-names.js';
import { changingWords, destroyingWords, readingPrograms } from '../shell/known-programs.js';
import { readShell } from '../shell/shell-reader.js';
import { occursIn } from '../values/task-values.js';
import { type EffectRow, rowsOf } from './effect-table.js';
import { effectOfName, knownEffectsOf } from './effects.js';
import { comparesWithId, deletesEnclosingFolder, deletesUnnamed, installsOther, namesHosts } from './named-things.js';
import { settingEffects } from './setting-effects.js';
import { shellEffects } from './shell-effects.js';
import { longestTask, wordsOfTask } from './words-of-task.js';
import { writtenBy } from './written-texts.js';

/** Stems of words that ask for an effect, in English, German, French and Spanish; a final dot marks a whole word (`rid.`). */
export const askingRows: readonly EffectRow[] = rowsOf({
  destroys: [
    [
      'delet remov drop clean purg wip uninstall kill stop cancel empt clear eras destroy terminat prun revok discard trash truncat ' +
        'reset eliminat undo rid. teardown shred unpublish abort shut. shutdown. reboot restart strip overwrit revert unset lösch ' +
        'entfern storn bereinig leer. leere. leeren. beend kündig verwerf supprim effac annul vide. vider. nettoy retir enlev arrêt ' +
        'elimin borr vaci limpi quita. quitar. deten',
      'Delete the old logs',
      'Show the old logs',
    ],
  ],
  connects: [
    [
      'download fetch upload send forward redirect weiterleit umleit ping request ssh curl wget connect scrape scraping crawl clone pull push publish sync transfer ' +
        'post. submit deploy herunterlad hochlad abruf télécharg envoi descarg envía. enviar. subir. sube.',
      'Download the latest prices',
      'Sort the prices',
    ],
  ],
  installs: [
    ['install setup dependenc upgrade provision abhängigkeit dépendanc instal', 'Install jq', 'Run jq over the file'],
  ],
  widens_rights: [
    [
      'permission access grant executabl owner chmod chown right. rights. privileg role. roles. admin writabl readabl sudo ' +
        'collaborat invit shar public. visib berechtig freigeb zugriff recht eigentümer droits. accès propriétair permis acceso. dueñ',
      'Give everybody permission to read x',
      'Read x for everybody',
    ],
  ],
  persists: [
    [
      'schedul cron boot startup enabl daily nightly weekly hourly monthly automatic permanent persist authorized. autostart recurr ' +
        'täglich nächtlich stündlich regelmäßig dauerhaft quotidien démarrag diari automátic arranque',
      'Run the backup nightly',
      'Run the backup now',
    ],
  ],
});

/** A task must say both: to give up and which safeguard (`skip the hooks`, `ignore the certificate`). */
const disablingStems = words(`disabl flush skip ignor bypass without forc deactivat overrid suppress stop. off. insecur
  abschalt deaktivier ignorier überspring désactiv ignor desactiv omit`);
const safeguardStems =
  words(`verif check firewall hook certificat ssl tls selinux trigger constraint foreign. histor audit host. push protect
  safeguard validat guard secur alarm interlock cutoff mfa encrypt antivir polic apparmor log. logging. prüf zertifikat vérif certif verific`);

/** Of a door, an account or an alarm. */
const unlockingStems =
  words(`lock unlock disarm open. öffne schließ entsperr entriegel aufschließ entschärf ouvr déverrouill désarm
  abr desbloque desarm sblocc apri`);

const negations =
  words(`not don dont never without no cannot avoid nicht ohne kein keine keinen nie pas sans ne jamais sin nunca evita
  except leave`);
const prohibitions = new Set(['not', 'don', 'dont', 'never', 'nicht', 'ne', 'nunca']);
const changeStems = words('chang modif writ edit updat touch cambi');

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

const stemsOf = new Map(askingRows.map(({ effect, pattern }) => [effect, words(pattern)]));
/** How many words back a negation reaches. */
const negationReach = 3;

/**
 * Whether a task asks for an effect. Words alone never ask for running fetched code, a remote shell, destroying more than is
 * named, or anything unreadable.
 */
export function asksFor(task: string, effect: Effect, action: Action): boolean {
  const taskWords = wordsOfTask(task);
  if (lasting.has(effect) && asksOnly(taskWords)) return false;
  switch (effect) {
    case 'changes':
      if (forbidsChanges(taskWords)) return false;
      return !asksOnly(taskWords) || writesResult(taskWords, action) || !knownEffectsOf(action).includes('changes');
    case 'destroys':
      if (deletesUnnamed(task, action) || deletesEnclosingFolder(task, action)) return false;
      if (isAboutAll(action) && !mentions(taskWords, allStems)) return false;
      if (comparesWithId(task, action)) return false;
      return (
        mentions(taskWords, endsForGood(action) ? removingStems : (stemsOf.get(effect) ?? [])) ||
        namesProgram(taskWords, action, destroysByItself) ||
        (usesOnlyTaskValues(task, action) && !asksQuestion(taskWords))
      );
    case 'connects':
      return (mentions(taskWords, stemsOf.get(effect) ?? []) && !redirects(action)) || namesHosts(task, action);
    case 'disables_safeguard':
      return (
        disables(taskWords) ||
        (isOfTool(action) &&
          (mentions(taskWords, unlockingStems) || (lacksAccess.test(task) && !deniesAccess.test(task))))
      );
    case 'widens_rights':
      if (opensToAll(action) && !mentions(taskWords, everyoneStems)) return false;
      return mentions(taskWords, stemsOf.get(effect) ?? []) || namesProgram(taskWords, action, doesMore);
    case 'persists':
      return (
        taskWords.some((word, at) => asksToPersist(word, at, taskWords)) || namesProgram(taskWords, action, doesMore)
      );
    case 'installs':
      if (installsOther(task, action)) return false;
      return mentions(taskWords, stemsOf.get(effect) ?? []) || namesProgram(taskWords, action, doesMore);
    default:
      return false;
  }
}

const lasting: ReadonlySet<Effect> = new Set(['installs', 'widens_rights', 'disables_safeguard', 'persists']);

/** “I cannot log in” asks to unlock the account. */
const lacksAccess =
  /(?<!\p{L})(?:(?:can(?:no|['’])t|can not|could(?:n['’]t| not)|not able to|unable to)[^,.;]{0,20}?(?:log|sign)(?:ged)? ?(?:in|on)|nicht (?:anmelden|einloggen)|pas (?:à )?(?:me )?connecter|no puedo (?:entrar|iniciar))(?!\p{L})/iu;
const deniesAccess = /(?<!\p{L})(?:make sure|so that|ensure|prevent|until|block|lock)/iu;

/** “Stop the instance” does not ask to terminate it. */
const haltingStems = new Set(words('kill stop abort shut. shutdown. reboot restart beend arrêt deten'));
const removingStems = (stemsOf.get('destroys') ?? []).filter((stem) => !haltingStems.has(stem));
const removingVerb = /^(?:terminat|delet|destroy|remov|purg|drop|eras|wip|uninstall|rm$)/;

/** `terminate-instances`, `delete_server`, `DELETE /servers/7` */
function endsForGood({ kind, verb, text }: Action): boolean {
  if (kind === 'http') return verb.toUpperCase() === 'DELETE';
  if (kind === 'call') return wordsOf(verb).some((word) => removingVerb.test(word));
  const commands = kind === 'command' ? (readShell(text) ?? []) : [];
  return commands.some(({ operands }) => operands.slice(0, 3).some((word) => removingVerb.test(word)));
}

function disables(taskWords: readonly string[]): boolean {
  const says = (stems: readonly string[]) => taskWords.some((word) => isAnyOf(word, stems));
  return says(disablingStems) && says(safeguardStems) && !isForbidden(taskWords);
}

function isOfTool({ kind }: Action): boolean {
  return kind === 'call' || kind === 'http';
}

function isAnyOf(word: string | undefined, stems: readonly string[]): boolean {
  return word !== undefined && stems.some((stem) => (stem.endsWith('.') ? `${word}.` === stem : word.startsWith(stem)));
}

function mentions(taskWords: readonly string[], stems: readonly string[]): boolean {
  return taskWords.some((word, at) => isAnyOf(word, stems) && !isNegated(taskWords, at));
}

/**
 * “do not delete”, “without deleting”, “nicht löschen”: a negation before the word in its clause; in German and French also
 * after it.
 */
function isNegated(taskWords: readonly string[], at: number): boolean {
  for (let place = at - 1; place >= Math.max(0, at - negationReach); place--) {
    if (taskWords[place] === '.' || taskWords[place] === 'but') return false;
    if (negations.includes(taskWords[place] ?? '')) return true;
  }
  return taskWords[at + 1] === 'pas' || taskWords[at + 1] === 'nicht';
}

/** Whether a task only wants to know something: it forbids changes, or it asks and has no word for any. */
export function onlyReads(task: string): boolean {
  const taskWords = wordsOfTask(task);
  return forbidsChanges(taskWords) || asksOnly(taskWords);
}

/** “without changing anything”, “read-only” */
function forbidsChanges(taskWords: readonly string[]): boolean {
  return taskWords.some((word, at) => {
    const next = taskWords[at + 1] ?? '';
    if (word === 'readonly' || (word === 'read' && next === 'only')) return true;
    return (
      isAnyOf(word, changeStems) &&
      (isNegated(taskWords, at) ? ['anything', 'nada'].includes(next) : next === 'nothing')
    );
  });
}

const askingVerbs = new Set(words('show list count display print describe view'));
/** Tools of these names look, but people also mean changes by them: “Open a ticket”. */
const ambiguousVerbs = new Set(
  words(`open load extract sort filter translate plan note test go goto answer help wait finish done classify rank can forward back
  visit navigate ask`),
);
/** Whoever calculates or finds something may write it to a file. */
const resultVerbs = new Set(
  words('analyze analyse summarize calculate calc compute evaluate estimate parse find search get compare retrieve'),
);
/** “Get me an earlier flight”, “Get rid of x” */
const forSomebody = new Set(['me', 'us', 'rid']);
const changeWords = [...changingWords, ...destroyingWords].map((word) => `${word}.`);

/** What follows is no verb: “the order”. */
const determiners = new Set(
  words('the a an my our your this that its their his her each every last latest of for about by up at on in with per'),
);

/** “The 5 slowest requests” */
const beforeNoun = /^\d+$|\p{L}{3}est$/u;

/** “Show the users”, “Which host is slow?”, but neither “Show the users and mark them” nor “How do I cancel?” */
function asksOnly(taskWords: readonly string[]): boolean {
  const first = firstWordOf(taskWords);
  const verb = taskWords.indexOf(first);
  const isNoun = (at: number) =>
    determiners.has(taskWords[at - 1] ?? '') ||
    beforeNoun.test(taskWords[at - 1] ?? '') ||
    (taskWords[at - 1] === 'pull' && determiners.has(taskWords[at - 2] ?? ''));
  // “The scheduled tasks”
  const withoutNouns = taskWords.map((word, at) => (at === verb || isNoun(at) || word.endsWith('ed') ? '' : word));
  // “Can it …?” asks for anything.
  const asks = first !== 'can' && (askingVerbs.has(first) || questionWords.has(first));
  return (
    (asks || (looksOnly(first) && !goesOn(taskWords) && !forSomebody.has(taskWords[verb + 1] ?? ''))) &&
    ![changeWords, ...stemsOf.values()].some((stems) => mentions(withoutNouns, stems))
  );
}

const everyoneStems = words(
  'all. every any. setuid suid superuser anyone anybody anywhere full public internet world. wildcard admin alle. allen. jede öffentlich tous. tout público todos.',
);
const toAll =
  /0\.0\.0\.0\/0|::\/0|["'[]\*["'\]]|[:=] ?\*(?=["'\s]|$)|write-all|cluster-admin|administratoraccess|roles\/owner|allusers|allauthenticatedusers|(?<![a-z])(?:anyone|everyone|public)\w*["']?\s?[:=]\s?["']?true|visibility["']?\s?[:=]\s?["']?public|\bto public\b|\bgrant all\b|\bwith (?:grant|admin) option\b|\bsuperuser\b|\bchmod (?:-\w+ )*0?[2467][0-7]{3}\b|\bchmod (?:-\w+ )*[ugoa]*\+[rwxt]*s|\bsetfacl\b.* \/$/i;

/** Gives rights to everybody, or all rights: a task that wants access for somebody does not ask for that. */
function opensToAll({ text }: Action): boolean {
  return toAll.test(text.slice(0, longestTask).replaceAll('\\', ''));
}

/** `git push https://a.example/x.git HEAD` */
const otherRemote = /\bgit (?:push|remote (?:set-url|add)) [^|;&\n]{0,200}(?::\/\/|@[\w.-]{1,100}:)/;

/** Packages or connections come from another host, which the task then has to name. */
function redirects(action: Action): boolean {
  const { kind, text } = action;
  if (kind === 'command' && otherRemote.test(text.slice(0, longestTask))) return true;
  const said = kind === 'command' ? writtenBy(readShell(text) ?? []).join('\n') : text;
  return settingEffects(`${said}\n${text.replace(/(\w) (?=https?:)/g, '$1=')}`).effects.has('connects');
}

const repeating = words('every. each. jeden. jede. chaque. cada. tous. toutes.');
const between = /^(?:\d+|other|second|les)$/;
const periods = words(
  `second. seconds. minute. minutes. hour. hours. day. days. weekday. night. morning. evening. week. weeks. month. months. quarter.
  monday. tuesday. wednesday. thursday. friday. saturday. sunday. tag. nacht. woche. monat. stunde. montag. dienstag. mittwoch.
  donnerstag. freitag. samstag. sonntag. jour. jours. nuit. semaine. mois. heure. heures. día. noche. semana. mes. hora.`,
);

/** “Every weekday”, “every 5 minutes”, but not “the sales of each month”. */
function repeats(at: number, taskWords: readonly string[]): boolean {
  if (!isAnyOf(taskWords[at], repeating) || isNegated(taskWords, at) || asksQuestion(taskWords)) return false;
  const next = between.test(taskWords[at + 1] ?? '') ? at + 2 : at + 1;
  return isAnyOf(taskWords[next], periods);
}

const rhythms = words('daily nightly weekly hourly monthly täglich nächtlich stündlich quotidien diari');
const definite = new Set(words('the our my this that these those der die das den dem unser mein le la les el los mi'));

/** “Run it nightly” asks for a schedule, “the nightly job” has one. */
function asksToPersist(word: string, at: number, taskWords: readonly string[]): boolean {
  if (repeats(at, taskWords)) return true;
  if (!isAnyOf(word, stemsOf.get('persists') ?? []) || isNegated(taskWords, at)) return false;
  return !(isAnyOf(word, rhythms) && definite.has(taskWords[at - 1] ?? ''));
}

function looksOnly(word: string): boolean {
  return word === 'review' || (effectOfName(word) === 'looks' && !ambiguousVerbs.has(word));
}

function writesResult(taskWords: readonly string[], { kind }: Action): boolean {
  return resultVerbs.has(firstWordOf(taskWords)) && ['command', 'code', 'edit'].includes(kind);
}

const modals = new Set(['can', 'could', 'would', 'will']);

/** Without “please” and “can you”. */
function firstWordOf(taskWords: readonly string[]): string {
  const isPolite = modals.has(taskWords[0] ?? '') && taskWords[1] === 'you';
  return taskWords.slice(isPolite ? 2 : 0).find((word) => word !== 'please') ?? '';
}

const continuing = new Set(words('and then or if'));
const articles = new Set(words('the a an its their his her all of for in that whether how what which who'));

/** “Check the disk and tidy it up”: what follows may be any verb. */
function goesOn(taskWords: readonly string[]): boolean {
  return taskWords.some((word, at) => {
    const next = taskWords[at + 1] ?? '.';
    const begins = continuing.has(word) || (word === '.' && at < taskWords.length - 1);
    return begins && next !== '.' && !articles.has(next) && !continuing.has(next) && effectOfName(next) !== 'looks';
  });
}

function isForbidden(taskWords: readonly string[]): boolean {
  return taskWords.some(
    (word, at) =>
      isAnyOf(word, disablingStems) &&
      taskWords.slice(Math.max(0, at - negationReach), at).some((before) => prohibitions.has(before)),
  );
}

const allStems = words(
  'all. every entire whole alle. allen. alles. sämtlich tout toute toutes tous todo todos toda todas',
);

/** `delete_all_users`, `DELETE /users/_all` */
function isAboutAll({ kind, verb, object = '' }: Action): boolean {
  const name = kind === 'http' ? object : kind === 'call' ? verb : '';
  return wordsOf(name).includes('all');
}

/** All arguments come from the task: “Customer C-4 no longer wants order O-9” and `cancel("O-9")`. */
function usesOnlyTaskValues(task: string, { kind, args = {} }: Action): boolean {
  const values = leavesOf(args);
  return kind === 'call' && values.length > 0 && values.every(occursIn(task));
}

function leavesOf(value: Literal): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(leavesOf);
}

const questionWords = new Set(words('what which who where when why how is are was does did has can'));

/** A clause starts with a question word or a word such as “show”. */
function asksQuestion(taskWords: readonly string[]): boolean {
  return taskWords.some(
    (word, at) =>
      (at === 0 || taskWords[at - 1] === '.') && (questionWords.has(word) || effectOfName(word) === 'looks'),
  );
}

function namesProgram(
  taskWords: readonly string[],
  { kind, verb, text }: Action,
  counts = (_program: string, _kind: Action['kind']) => true,
): boolean {
  const programs =
    kind === 'command' ? (readShell(text) ?? []).map(({ program }) => program.toLowerCase()) : [verb.toLowerCase()];
  return programs.some(
    (program) =>
      program.length > 1 &&
      counts(program, kind) &&
      taskWords.some((word, at) => word === program && !isNegated(taskWords, at)),
  );
}

/** “Find the old files” names `find` without asking for `-delete`. */
function destroysByItself(program: string, kind: Action['kind']): boolean {
  if (kind === 'call') return effectOfName(program) === 'destroys';
  return kind !== 'command' || shellEffects(`${program} x`).effects.has('destroys');
}

/** “Find the old files” does not ask for what `find` may also do. */
function doesMore(program: string): boolean {
  return !readingPrograms.has(program);
}
