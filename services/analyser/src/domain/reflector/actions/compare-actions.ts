import { listed } from '../bounded-text.js';
import { takeOutHeredocs } from '../shell/heredocs.js';
import { readStages } from '../shell/shell-command.js';
import type { Action } from './action.js';
import { wordsOfName } from './action-role.js';
import { isRecord, parseJson } from './tool-call.js';

const wordLimit = 200;
const sqlGrammar =
  /^(?:select|from|where|and|or|as|on|by|order|asc|desc|in|is|not|null|set|into|values|limit|join|inner|outer)$/i;
const codeWords = new Set(
  'id ids zip zipcode postcode postal code codes number phone fax pin isbn ean iban account card ref reference key'.split(
    ' ',
  ),
);

/** 0 to 1: how much two actions share, by their words. */
export function likeness(a: Action, b: Action): number {
  if (a.kind !== b.kind) return 0;
  return overlap(wordSet(a.text), wordSet(b.text));
}

export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

function wordSet(text: string): Set<string> {
  return new Set(
    text
      .slice(0, 4_000)
      .split(/[\s|;,(){}[\]"'=]+/, wordLimit)
      .filter((word) => word !== ''),
  );
}

/** What the second action did otherwise, in general words; undefined where nothing can be told. */
export function differenceBetween(before: Action, after: Action): string | undefined {
  if (before.kind !== after.kind) return undefined;
  if (before.kind === 'shell') return shellDifference(before.text, after.text);
  if (before.kind === 'tool') return toolDifference(before, after);
  if (before.kind === 'sql') return wordDifference(before.text, after.text);
  return undefined;
}

/** What became of one program from one command to the next: replaced, or called with other options; undefined where neither. */
export function differenceOfProgram(program: string, before: Action, after: Action): string | undefined {
  const [old, now] = [readStages(before.text), readStages(after.text)];
  const used = now.filter((stage) => stage.program === program);
  if (used.length === 0) return shellDifference(before.text, after.text);
  const earlier = old.filter((stage) => stage.program === program);
  const [change] = optionDifference(
    compared(
      earlier.flatMap(({ options }) => options),
      used.flatMap(({ options }) => options),
    ),
  );
  if (change !== undefined) return change;
  const sameRest = old.map((stage) => stage.program).join() === now.map((stage) => stage.program).join();
  return sameRest ? shellDifference(before.text, after.text) : undefined;
}

/** Whether two commands run the same programs and differ only in how these are called. */
export function runSamePrograms(before: Action, after: Action): boolean {
  const programsOf = ({ text }: Action) =>
    readStages(text)
      .map(({ program }) => program)
      .join();
  return programsOf(before) === programsOf(after);
}

function shellDifference(before: string, after: string): string | undefined {
  return commandDifference(takeOutHeredocs(before).command, takeOutHeredocs(after).command);
}

function commandDifference(before: string, after: string): string | undefined {
  const [old, now] = [readStages(before), readStages(after)];
  const programs = compared(
    old.map(({ program }) => program),
    now.map(({ program }) => program),
  );
  const options = compared(
    old.flatMap((stage) => stage.options),
    now.flatMap((stage) => stage.options),
  );
  const parts: string[] = [];
  if (programs.gone.length > 0 && programs.added.length > 0)
    parts.push(`${code(programs.added)} instead of ${code(programs.gone)}`);
  else if (programs.added.length > 0) parts.push(`adding ${code(programs.added)}`);
  else if (programs.gone.length > 0) parts.push(`leaving out ${code(programs.gone)}`);
  if (parts.length === 0) parts.push(...optionDifference(options));
  if (parts.length === 0) parts.push(...spellingDifference(before, after));
  return parts.length === 0 ? undefined : listed(parts);
}

function optionDifference({ added, gone }: Compared): string[] {
  if (added.length > 0 && gone.length > 0) return [`${code(added)} instead of ${code(gone)}`];
  if (added.length > 0) return [`adding ${code(added)}`];
  return gone.length > 0 ? [`leaving out ${code(gone)}`] : [];
}

function spellingDifference(before: string, after: string): string[] {
  const absolute = /(?:^|[\s"'=])\/\w/;
  if (!absolute.test(before) && absolute.test(after)) return ['an absolute path instead of a relative one'];
  if (absolute.test(before) && !absolute.test(after)) return ['a relative path instead of an absolute one'];
  const quotes = (text: string) => text.replace(/[^"]/g, '').length;
  if (quotes(before) > quotes(after)) return ['the same without the inner double quotes'];
  if (quotes(before) < quotes(after)) return ['quoting the arguments'];
  if (before.includes('\\') !== after.includes('\\'))
    return [after.includes('\\') ? 'escaping special characters' : 'leaving the backslashes out'];
  return [];
}

function toolDifference(before: Action, after: Action): string | undefined {
  if (before.name !== after.name) return `\`${after.name}\` instead of \`${before.name}\``;
  const { added, gone } = compared(Object.keys(before.args), Object.keys(after.args));
  const changed = Object.keys(after.args).filter(
    (key) => Object.hasOwn(before.args, key) && before.args[key] !== after.args[key],
  );
  const parts = [
    ...changed.slice(0, 3).map((key) => valueDifference(key, before.args[key] ?? '', after.args[key] ?? '')),
    ...(added.length > 0 ? [`${code(added.slice(0, 3))} given as well`] : []),
    ...(gone.length > 0 ? [`${code(gone.slice(0, 3))} left out`] : []),
  ];
  return parts.length === 0 ? undefined : `the same call with ${listed(parts)}`;
}

/** That a value was another one says nothing of which it has to be. */
export function saysWhatChanged(difference: string): boolean {
  return !/ with another \S+(?:(?:, | and )another \S+)*$/.test(difference);
}

/** How a value changed, without telling it: it belongs to the one task. */
function valueDifference(key: string, before: string, after: string): string {
  const [old, now] = [Number(before), Number(after)];
  if (before !== '' && after !== '' && !Number.isNaN(old) && !Number.isNaN(now) && !isCode(key, before, after))
    return `a ${now < old ? 'smaller' : 'larger'} \`${key}\``;
  const fields = after.startsWith('{') && !before.startsWith('{') ? parseJson(after) : undefined;
  if (isRecord(fields)) return `\`${key}\` as an object of ${code(Object.keys(fields))}`;
  return isEncodedFormOf(after, before) ? `\`${key}\` percent-encoded` : `another \`${key}\``;
}

/** Digits that name something: one such is not more than another. */
function isCode(key: string, ...values: readonly string[]): boolean {
  return wordsOfName(key).some((word) => codeWords.has(word)) || values.some((value) => /^0\d/.test(value));
}

function isEncodedFormOf(encoded: string, plain: string): boolean {
  try {
    return encoded !== plain && encoded.includes('%') && decodeURIComponent(encoded) === plain;
  } catch {
    return false;
  }
}

/** Identifiers of a query are the schema's words, not the task's: the ones that came and went are the lesson. Its texts are values. */
function wordDifference(before: string, after: string): string | undefined {
  const words = (text: string) =>
    (
      text
        .slice(0, 4_000)
        .replace(/'[^']*'|"[^"]*"/g, ' ')
        .match(/[A-Za-z_][\w.]{1,60}/g) ?? []
    )
      .slice(0, wordLimit)
      .filter((word) => !sqlGrammar.test(word));
  const { added, gone } = compared(words(before), words(after));
  if (added.length === 0 && gone.length === 0) return undefined;
  if (added.length > 6 || gone.length > 6) return undefined;
  if (gone.length === 0) return `adding ${code(added)}`;
  return added.length === 0 ? `leaving out ${code(gone)}` : `${code(added)} instead of ${code(gone)}`;
}

interface Compared {
  added: string[];
  gone: string[];
}

function compared(before: readonly string[], after: readonly string[]): Compared {
  const [old, now] = [new Set(before), new Set(after)];
  return {
    added: [...now].filter((item) => !old.has(item)).slice(0, 8),
    gone: [...old].filter((item) => !now.has(item)).slice(0, 8),
  };
}

function code(items: readonly string[]): string {
  return listed(items.slice(0, 4).map((item) => `\`${item}\``));
}
