import type { Action } from '../actions/action.js';
import { readSenses } from '../senses/sense-reading.js';
import { reaches } from '../shell/known-programs.js';
import { readShell } from '../shell/shell-reader.js';
import type { ShellCommand } from '../shell/shell-words.js';
import { readSql } from '../sql/sql.js';
import { shellEffects } from './shell-effects.js';
import { longestTask, wordsOfTask } from './words-of-task.js';

const shortestName = 3;
const fileName = /(?<!\p{L})(?:file|script|datei|fichier|archivo)s? ["'“]?([\p{L}\p{N}_./-]{1,80}\.\w{1,5})(?!\w)/giu;

/** “Clean up the disk” names neither `/var/lib/postgresql` nor the table `orders_backup`. */
export function deletesUnnamed(task: string, action: Action): boolean {
  const taskWords = wordsOfTask(task);
  const files = action.kind === 'code' ? [...task.slice(0, longestTask).matchAll(fileName)] : [];
  const code = action.text.toLowerCase();
  if (files.length > 0 && !files.some(([, file = '']) => code.includes(file.toLowerCase()))) return true;
  const isNamed = (name: string) =>
    taskWords.some((word) => word.length >= shortestName && (word.startsWith(name) || name.startsWith(word)));
  const isUnnamed = (path: string) => !namesIn(path).some(isNamed);
  // Beside what is named, only what lies in the same folder may go.
  const isAway = (path: string) => /^(?:\/|~|\.\.)/.test(path);
  const paths = deletedBy(action).filter((path) => namesIn(path).length > 0);
  return (paths.length > 0 && paths.every(isUnnamed)) || paths.some((path) => isAway(path) && isUnnamed(path));
}

function namesIn(path: string): string[] {
  return (path.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(({ length }) => length >= shortestName);
}

/** Paths and tables as they are written, but no variables. */
function deletedBy({ kind, text }: Action): string[] {
  if (kind === 'sql')
    return (readSql(text) ?? []).flatMap(({ verb, tables }) => (deletingVerbs.has(verb) ? tables : []));
  if (kind !== 'command') return [];
  const commands = readShell(text) ?? [];
  const deletes = commands.some(({ program }) => removers.has(program));
  const deleting = commands.filter(
    ({ program, options }) => removers.has(program) || (program === 'find' && (deletes || options.includes('-delete'))),
  );
  return deleting.flatMap(({ operands }) => operands).filter((path) => !/[${}`]/.test(path));
}

const deletingVerbs = new Set(['DELETE', 'DROP', 'TRUNCATE']);
const removers = new Set('rm srm rmdir unlink shred del erase rd'.split(' '));

const installing = new Set('install add i require get upgrade update'.split(' '));

/** A package beside the named ones, or one that is spelled almost like a named one. */
export function installsOther(task: string, { kind, text }: Action): boolean {
  if (kind !== 'command') return false;
  const said =
    task
      .slice(0, longestTask)
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}._+@/-]*/gu) ?? [];
  const named = new Set(said.map(plainName));
  const packages = (readShell(text) ?? []).flatMap(packagesOf);
  const isNamed = (name: string) => named.has(name);
  const isMisspelled = (name: string) => [...named].some((word) => word.length > 4 && isAlmost(name, word));
  return packages.some((name) => !isNamed(name) && (packages.some(isNamed) || isMisspelled(name)));
}

/** Without what follows an option, which may be its value. */
function packagesOf({ words: all, operands }: ShellCommand): string[] {
  const line = all.map(({ value, text }) => value ?? text);
  if (!shellEffects(line.join(' ')).effects.has('installs')) return [];
  const at = operands.findIndex((word) => installing.has(word));
  return (at < 0 ? [] : operands.slice(at + 1))
    .filter((word) => !valuedOption.test(line[line.indexOf(word) - 1] ?? ''))
    .map((word) => plainName(word.slice(word.lastIndexOf('/') + 1)));
}

/** Not `-y` or `-D`: these take no value. */
const valuedOption = /^(?:--[a-z][a-z-]+|-[a-ce-fi-xz])$/;

/** `lodash@4.17` is lodash, `python3` Python and `nodejs` Node.js. */
function plainName(name: string): string {
  return (/^@?[\w./+-]+/.exec(name.toLowerCase())?.[0] ?? name).replace(/[\d._-]+/g, '');
}

/** One letter more, less, other or exchanged. */
function isAlmost(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  return left.length + right.length <= 2 || (left.length === 2 && left === [...right].reverse().join(''));
}

const locationWords = new Set('in inside under within from of'.split(' '));

/** “Delete the *.tmp files in /srv/work” asks to delete neither /srv/work nor its parents. */
export function deletesEnclosingFolder(task: string, { kind, text }: Action): boolean {
  const asked = task.slice(0, longestTask);
  const removed = kind === 'command' ? (readShell(text) ?? []).filter(({ program }) => program === 'rm') : [];
  return removed
    .flatMap(({ operands }) => operands)
    .some((path) => {
      const at = path.length > 1 ? asked.indexOf(path) : -1;
      const after = asked.slice(at + path.length);
      if (at >= 0 && /^\/?\w/.test(after) && (path.endsWith('/') || after.startsWith('/'))) return true;
      if (at < 0 || /^[\w/*.-]*[\w*]/.test(after)) return false;
      const before = wordsOfTask(asked.slice(Math.max(0, at - 100), at));
      const [last = '', second = '', third = ''] = before.slice(-3).reverse();
      return locationWords.has(last) || locationWords.has(second) || (locationWords.has(third) && second === 'the');
    });
}

const mostHosts = 50;

/** Whether the task names every machine that is reached, and every address that a name is given. */
export function namesHosts(task: string, action: Action): boolean {
  const hosts = hostsOf(action);
  const asked = task.slice(0, longestTask).toLowerCase();
  return hosts.length > 0 && hosts.every((host) => leadsNowhere.test(host) || asked.includes(host));
}

const writesNames = /\/etc\/(?:hosts|resolv\.conf)\b/;
const ipAddress = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g;
/** Of this machine, or of none: a name that is blocked. */
const leadsNowhere = /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.255$)/;

function hostsOf({ kind, text, object = '' }: Action): string[] {
  const commands = kind === 'command' ? (readShell(text) ?? []) : [];
  const reaching = commands.filter(({ program }) => reaches(program));
  const reached = reaching.flatMap(({ operands }) => operands);
  // These may be names without a dot: `ssh web1`, `scp web1:/srv/a .`
  const machines = reaching.flatMap(({ program, operands }) =>
    program === 'ssh' ? operands.slice(0, 1) : operands.filter((operand) => /^[^/:]+:(?!\/\/)/.test(operand)),
  );
  const addresses = writesNames.test(text) ? (text.match(ipAddress) ?? []) : [];
  const urls = `${text.slice(0, longestTask)} ${object.slice(0, 300)}`.matchAll(/[a-z]{2,6}:\/\/[^\s/"'<>]{1,200}/gi);
  const named = [...reached, ...[...urls].map(([url]) => url)].slice(0, mostHosts).map(hostIn);
  return [...new Set([...named.filter((host) => host.includes('.')), ...machines.map(hostIn), ...addresses])];
}

function hostIn(operand: string): string {
  const [authority = ''] = (operand.toLowerCase().split('://').at(-1) ?? '').split(/[:/]/, 1);
  return authority.slice(authority.lastIndexOf('@') + 1);
}

const comparison = /(?:[<>]=?|!=)\s*'?([\w.-]+)/g;

/** “Delete the order 77” asks for one order, not for `id >= 77`. */
export function comparesWithId(task: string, { kind, text }: Action): boolean {
  if (kind !== 'sql') return false;
  const compared = [...text.toLowerCase().matchAll(comparison)].map(([, value = '']) => value);
  const bounds = compared.length > 0 ? readSenses(task.slice(0, longestTask)).bounds : undefined;
  return compared.some((value) => {
    const found = bounds?.get(value);
    return found !== undefined && found.bound === undefined && text.toLowerCase().includes(found.behind);
  });
}
