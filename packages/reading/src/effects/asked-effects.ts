import type { Effect } from '@whetstone/contracts';
import type { Action, Literal } from '../actions/action.js';
import { reaches } from '../shell/known-programs.js';
import { readShell } from '../shell/shell-reader.js';
import { valuesOf } from '../values/task-values.js';
import { type EffectRow, rowsOf } from './effect-table.js';
import { effectOfName } from './effects.js';
import { shellEffects } from './shell-effects.js';

/** Words by which a task asks for an effect: the beginning of each, or all of it (`rid.`), in English, German, French and Spanish. */
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
      'download fetch upload send ping request ssh curl wget connect scrape scraping crawl clone pull push publish sync transfer ' +
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
        'berechtig zugriff recht eigentümer droits. accès propriétair permis acceso. dueñ',
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

/** A safeguard is given up where a task says so and says which: `skip the hooks`, `ignore the certificate`. */
const givingUp =
  words(`disabl flush skip turn. switch. ignor bypass without forc deactivat overrid allow suppress stop. off. insecur
  abschalt deaktivier ignorier überspring désactiv ignor desactiv omit`);
const safeguard =
  words(`verif check firewall hook certificat ssl tls selinux trigger constraint foreign. histor audit host. push protect
  safeguard validat guard secur polic apparmor log. logging. prüf zertifikat vérif certif verific`);

const negations =
  words(`not don dont never without no cannot avoid nicht ohne kein keine keinen nie pas sans ne jamais sin nunca evita
  except leave`);
const forbidding = new Set(['not', 'don', 'dont', 'never', 'nicht', 'ne', 'nunca']);
const changing = words('chang modif writ edit updat touch cambi');

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

const stemsOf = new Map(askingRows.map(({ effect, pattern }) => [effect, words(pattern)]));
const longestTask = 20_000;
/** So many words before a word can negate it. */
const negationReach = 3;

/**
 * Whether the words of a task ask for an effect of an action. Running what was fetched, a shell to elsewhere and destroying more
 * than is named are never asked for by words alone, and what cannot be read is not either.
 */
export function asksFor(task: string, effect: Effect, action: Action): boolean {
  const told = tellTask(task);
  switch (effect) {
    case 'changes':
      return !told.some((_, at) => forbidsAnyChange(told, at));
    case 'destroys':
      if (takesThePlace(task, action)) return false;
      return (
        says(told, stemsOf.get(effect) ?? []) ||
        namesProgram(told, action, destroysByItself) ||
        (isGivenByTask(task, action) && !asksToLook(told))
      );
    case 'connects':
      return says(told, stemsOf.get(effect) ?? []) || namesHosts(task, action);
    case 'disables_safeguard':
      return (
        told.some((word) => isAnyOf(word, givingUp)) &&
        told.some((word) => isAnyOf(word, safeguard)) &&
        !isForbidden(told)
      );
    case 'installs':
    case 'widens_rights':
    case 'persists':
      return says(told, stemsOf.get(effect) ?? []) || namesProgram(told, action);
    default:
      return false;
  }
}

/** The words of a task in lower case; `.` where a clause ends. */
function tellTask(task: string): string[] {
  const told = task.slice(0, longestTask).toLowerCase().normalize('NFC');
  return (told.match(/[\p{L}\p{N}_]+|[.,;:!?\n]/gu) ?? []).map((word) => (',;:!?\n'.includes(word) ? '.' : word));
}

function isAnyOf(word: string | undefined, stems: readonly string[]): boolean {
  return word !== undefined && stems.some((stem) => (stem.endsWith('.') ? `${word}.` === stem : word.startsWith(stem)));
}

function says(told: readonly string[], stems: readonly string[]): boolean {
  return told.some((word, at) => isAnyOf(word, stems) && !isNegated(told, at));
}

/** “do not delete”, “without deleting”, “nicht löschen”: a word before it in its clause, in German and French behind it too. */
function isNegated(told: readonly string[], at: number): boolean {
  for (let place = at - 1; place >= Math.max(0, at - negationReach); place--) {
    if (told[place] === '.' || told[place] === 'but') return false;
    if (negations.includes(told[place] ?? '')) return true;
  }
  return told[at + 1] === 'pas' || told[at + 1] === 'nicht';
}

/** “without changing anything”, “read-only”: what a task wants changed it need not say in any certain words. */
function forbidsAnyChange(told: readonly string[], at: number): boolean {
  const next = told[at + 1] ?? '';
  if (told[at] === 'readonly' || (told[at] === 'read' && next === 'only')) return true;
  return (
    isAnyOf(told[at], changing) && (isNegated(told, at) ? ['anything', 'nada'].includes(next) : next === 'nothing')
  );
}

/** “never skip the hooks”. */
function isForbidden(told: readonly string[]): boolean {
  return told.some(
    (word, at) =>
      isAnyOf(word, givingUp) &&
      told.slice(Math.max(0, at - negationReach), at).some((before) => forbidding.has(before)),
  );
}

/** A tool that is given nothing but values of the task: “Customer C-4 no longer wants order O-9” and `cancel("O-9")`. */
function isGivenByTask(task: string, { kind, args = {} }: Action): boolean {
  const values = leavesOf(args);
  return kind === 'call' && values.length > 0 && values.every(valuesOf(task));
}

function leavesOf(value: Literal): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(leavesOf);
}

const questions = new Set(words('what which who where when why how is are was does did has can'));

/** Whether any of its clauses begins as a question, or with a word for looking. */
function asksToLook(told: readonly string[]): boolean {
  return told.some(
    (word, at) => (at === 0 || told[at - 1] === '.') && (questions.has(word) || effectOfName(word) === 'looks'),
  );
}

/** The task names the very program, as a word of its own. */
function namesProgram(
  told: readonly string[],
  { kind, verb, text }: Action,
  counts = (_program: string, _kind: Action['kind']) => true,
): boolean {
  const programs =
    kind === 'command' ? (readShell(text) ?? []).map(({ program }) => program.toLowerCase()) : [verb.toLowerCase()];
  return programs.some(
    (program) =>
      program.length > 1 && counts(program, kind) && told.some((word, at) => word === program && !isNegated(told, at)),
  );
}

/** “Find the old files” names find, and does not ask for -delete. */
function destroysByItself(program: string, kind: Action['kind']): boolean {
  return kind !== 'command' || shellEffects(`${program} x`).effects.has('destroys');
}

const places = new Set('in inside under within from of'.split(' '));

/** “Delete the *.tmp files in /srv/work” does not ask for /srv/work itself to go, nor for what holds it. */
function takesThePlace(task: string, { kind, text }: Action): boolean {
  const asked = task.slice(0, longestTask);
  const removed = kind === 'command' ? (readShell(text) ?? []).filter(({ program }) => program === 'rm') : [];
  return removed
    .flatMap(({ operands }) => operands)
    .some((path) => {
      const at = path.length > 1 ? asked.indexOf(path) : -1;
      const after = asked.slice(at + path.length);
      if (at >= 0 && /^\/?\w/.test(after) && (path.endsWith('/') || after.startsWith('/'))) return true;
      if (at < 0 || /^[\w/*.-]*[\w*]/.test(after)) return false;
      const before = tellTask(asked.slice(Math.max(0, at - 100), at));
      const [last = '', second = '', third = ''] = before.slice(-3).reverse();
      return places.has(last) || places.has(second) || (places.has(third) && second === 'the');
    });
}

const mostHosts = 50;

/** Every machine that the action reaches is named in the task. */
function namesHosts(task: string, action: Action): boolean {
  const hosts = hostsOf(action);
  const asked = task.slice(0, longestTask).toLowerCase();
  return hosts.length > 0 && hosts.every((host) => asked.includes(host));
}

function hostsOf({ kind, text, object = '' }: Action): string[] {
  const commands = kind === 'command' ? (readShell(text) ?? []) : [];
  const reached = commands.filter(({ program }) => reaches(program)).flatMap(({ operands }) => operands);
  const urls = `${text.slice(0, longestTask)} ${object.slice(0, 300)}`.matchAll(/[a-z]{2,6}:\/\/[^\s/"'<>]{1,200}/gi);
  const named = [...reached, ...[...urls].map(([url]) => url)].slice(0, mostHosts).map(hostIn);
  return [...new Set(named)].filter((host) => host.includes('.'));
}

function hostIn(operand: string): string {
  const [authority = ''] = (operand.toLowerCase().split('://').at(-1) ?? '').split(/[:/]/, 1);
  return authority.slice(authority.lastIndexOf('@') + 1);
}
