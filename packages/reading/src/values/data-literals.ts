import { literalAt } from '../actions/literals.js';
import { isKnownProgram } from '../shell/known-programs.js';
import { looksLikeShell } from '../shell/shell.js';
import { readSql } from '../sql/sql.js';
import { isStopWord } from '../words.js';
import { kindOfField, namesAccount } from './fields.js';
import { isId } from './ids.js';
import { isNameWord, looksLikeName } from './names.js';
import type { FoundValue, ValueKind } from './value-forms.js';

const quoted = /(["'])((?:(?!\1)[^\\\n]|\\.){2,400})\1/gu;

/**
 * Literals of a command, query or script that are data of one case by where they stand: what is inserted, set, sent, said in
 * words. What steers it (options, patterns, formats, categories of a filter, programs in quotes) is none. `isOtherCase`: of a
 * file's name, one capitalised word is enough.
 */
export function dataIn(text: string, isOtherCase: boolean): FoundValue[] {
  const found = [
    ...insertedIn(text),
    ...setIn(text),
    ...accountsIn(text),
    ...changedRowsIn(text),
    ...sentIn(text),
    ...saidIn(text),
    ...assignedIn(text),
    ...filesIn(text, isOtherCase),
  ];
  return [...found, ...withNamesOf(found, text)];
}

const tuple = /[\s,]*\((?:[^()'"]|'(?:[^'\n]|'')*'|"[^"\n]*"|\([^()]{0,200}\))*\)/y;
const insertion = /\b(?:insert|replace)\b[^;]{1,2000}?\bvalues\b/gi;
const literal =
  /'((?:[^'\n]|'')+)'|(?<=\$\w{0,20})\$[^$\n]+\$(?=\w{0,20}\$)|"([^"\n]+)"|(?<![\p{L}\p{N}_.$:%@-])-?\d[\d.]*(?![\p{L}\p{N}_])/gu;

/** `execute("INSERT …", (…))` */
const parameters =
  /\bexecute\w*\(\s*(["']{1,3})\s*(?:insert|replace|update)\b(?:(?!\1)[\s\S]){1,2000}?\1\s*,(?=\s*\()/gi;

function insertedIn(text: string): FoundValue[] {
  return [...text.matchAll(insertion), ...text.matchAll(parameters)].flatMap(({ 0: { length }, index }) => {
    tuple.lastIndex = index + length;
    let to = tuple.lastIndex;
    while (tuple.test(text)) to = tuple.lastIndex;
    return literalsIn(text, index + length, to);
  });
}

const settings = /\bupdate\s+[\p{L}\p{N}_."`]{1,80}\s+(?:(?:as\s+)?[\p{L}\p{N}_]+\s+)?set\b/giu;
const setting =
  /[\s,]*[\p{L}\p{N}_."`]{1,80}\s*=\s*(?:(?:[^,;'"$]{0,80}\|\|\s*)?[en]?'(?:[^'\n]|'')*'|\$\w{0,20}\$[^$]*\$\w{0,20}\$|[^,;'"]{0,300}?(?=,|;|"|\bwhere\b|\breturning\b|$))/iuy;
const expression = /[-+*/(|]/;

function setIn(text: string): FoundValue[] {
  return [...text.matchAll(settings)].flatMap(({ 0: { length }, index }) => {
    const found: FoundValue[] = [];
    setting.lastIndex = index + length;
    for (let from = setting.lastIndex; setting.test(text); from = setting.lastIndex) {
      const value = text.indexOf('=', from) + 1;
      const given = text.slice(value, setting.lastIndex);
      if (/['$]/.test(given) || !expression.test(given)) found.push(...literalsIn(text, value, setting.lastIndex));
    }
    return found;
  });
}

/** Without 0 and 1, which may say no and yes. */
function literalsIn(text: string, from: number, to: number): FoundValue[] {
  return [...text.slice(from, to).matchAll(literal)].flatMap(({ 0: found, index }) => {
    const isText = /^["'$]/.test(found);
    const at = from + index + Number(isText);
    const kind: ValueKind = isText ? 'text' : 'number';
    return found === '0' || found === '1' ? [] : [{ kind, from: at, to: at + found.length - 2 * Number(isText) }];
  });
}

const comparison = /\b(?:where|and|or)\s+\(?([\p{L}\p{N}_.`]{1,80})\s*(?:=|<>|!=|\bi?like\b)\s*'(\p{L}[^'%\n]*)'/giu;

function accountsIn(text: string): FoundValue[] {
  return [...text.matchAll(comparison)].flatMap(({ 0: { length }, 1: column = '', 2: value = '', index }) => {
    const to = index + length - 1;
    return namesAccount(column) ? [{ kind: 'name', from: to - value.length, to }] : [];
  });
}

const change = /\b(?:update|delete\s+from)\s[^;]{1,2000}?\bwhere\b([^;]{1,2000})/gi;
const idOfRow = /(?<![\p{L}\p{N}])id\s*=\s*(\d+)(?![\p{L}\p{N}_.])/giu;

/** Which row is changed. A query may select by the id of a category. */
function changedRowsIn(text: string): FoundValue[] {
  return [...text.matchAll(change)].flatMap(({ 0: { length }, 1: condition = '', index }) =>
    [...condition.matchAll(idOfRow)].map(({ 0: found, 1: { length: digits } = '', index: at }) => {
      const to = index + length - condition.length + at + found.length;
      return { kind: 'id' as const, from: to - digits, to };
    }),
  );
}

const body =
  /(?:(?<!\S)(?:-d|--(?:data(?:-\w+)?|json|post-data|body-data|body|payload))[ =]?'|\b(?:json|data)=|\b(?:payload|body)\s?=\s?|\bstringify\()(?=[[{])/g;
const leaf = /(?<=[:[,]\s*)(?:(["'])((?:(?!\1)[^\\\n]|\\.)+)\1(?!\s*:)|-?\d{3,}(?:\.\d+)?)/g;
/** `in_progress`, `application/json`, `https://…` */
const steering = /^(?:\p{Ll}[\p{Ll}_-]*|\p{Lu}[\p{Lu}_]*|[a-z-]+\/[a-z.+-]+|https?:\/\/\S+)$/u;

/** The values of an object that a command or script sends, unless it asks for something. */
function sentIn(text: string): FoundValue[] {
  return [...text.matchAll(body)].flatMap(({ 0: { length }, index }) => {
    const from = index + length;
    const sent = text.slice(from, literalAt(text, from)?.end ?? from);
    if (/"query"\s*:\s*\{/.test(sent)) return [];
    return [...sent.matchAll(leaf)].flatMap(({ 0: found, 2: said, index: at }): FoundValue[] => {
      if (said === undefined) return [{ kind: 'number', from: from + at, to: from + at + found.length }];
      return steering.test(said) ? [] : [{ kind: 'text', from: from + at + 1, to: from + at + 1 + said.length }];
    });
  });
}

/** They take patterns, programs and dates in words. */
const takesPattern =
  /(?:^|[|;&(\n]|\b(?:sudo|xargs)\s)\s*(?:[ef]?grep|rg|ag|ack|find|[gm]?awk|sed|perl|jq|date)\s[^|;&\n]*$/;
const option = /(?<!\S)--?(\p{L}[\p{L}\p{N}-]*)[ =]?$/u;
/** Headers, and times in words. */
const steeringOption = /(?<!\S)(?:-H|--header|--since|--until|--after|--before|--date)[ =]?$/;
const field = /([\p{L}_][\p{L}\p{N}_]*)["']?\]?\s*[:=]\s*f?$/u;
const filter = /\b(?:where|when|having)\b[^;]*(?:[=<>]|\blike|\bin\s*\([^)]*)\s*$/i;
const echo = /\b(?:echo|printf)\s+(?:-\w+\s+)?$/;
const fewestWords = 3;

/** Of programs in general: `-m` and `-am`, `-c`, `-s`, `-t`, `-b`, `-d`. Other options often take a filter. */
const messageOption = /^(?:a?m|[cstbd]|title|description|summary|text)$/;

/** Words in quotes that tell something, given to an option, written to a file, or about somebody. */
function saidIn(text: string): FoundValue[] {
  return [...text.matchAll(quoted)].flatMap(({ 2: said = '', index }) => {
    const before = text.slice(Math.max(0, index - 400), index);
    if (!said.includes(' ') || [steeringOption, filter, takesPattern].some((form) => form.test(before))) return [];
    const to = index + 1 + said.length;
    const name = (option.exec(before) ?? field.exec(before))?.[1] ?? '';
    const isWritten = echo.test(before) && /^.\s*>/.test(text.slice(to, to + 20));
    const isGiven = option.test(before) && messageOption.test(name);
    const isLong = (isGiven || isWritten) && said.split(/\s+/).length >= fewestWords;
    const isTold = isLong || kindOfField(name) === 'text' || isAboutSomebody(said);
    return isTold && isProse(said) ? [{ kind: 'text', from: index + 1, to }] : [];
  });
}

/** Neither a program nor a pattern, a format or a file. */
function isProse(text: string): boolean {
  if (!/^[\p{L}\p{M}\p{N}\s.,;:!?'’()#@&+%_-]+$/u.test(text) || /%\p{L}|(?<!\S)--?\p{L}|\.\p{L}{1,5}$/u.test(text))
    return false;
  const [first = '', ...others] = text.trim().split(/\s+/);
  if (!others.some((word) => /\p{L}{2}/u.test(word)) || !/^\p{L}{2}/u.test(first)) return false;
  return !isKnownProgram(first) && readSql(text) === undefined && looksLikeShell(text) !== 'yes';
}

/** "Reported by Ada (ACME-1182)": a name or an id in a sentence, not in a title. */
function isAboutSomebody(text: string): boolean {
  const words = text.match(/[\p{L}\p{M}\p{N}'’_-]+/gu) ?? [];
  const isSentence = words.some((word) => /^\p{Ll}{2}/u.test(word) && !isStopWord(word));
  return isSentence && words.slice(1).some((word) => isNameWord(word) || isId(word));
}

const assignment = /^[ \t]*[\p{L}_][\p{L}\p{N}_.]*\s*=\s*(\d{6,})(?=\s*(?:[#;]|$))/gmu;

/** `income = 184250`, but neither a power of two nor a number of days in seconds. */
function assignedIn(text: string): FoundValue[] {
  return [...text.matchAll(assignment)].flatMap(({ 0: { length }, 1: value = '', index }) => {
    const isRound = value.endsWith('000') || Number(value) % 3600 === 0 || Number.isInteger(Math.log2(Number(value)));
    return isRound ? [] : [{ kind: 'number', from: index + length - value.length, to: index + length }];
  });
}

const file = /(?<![\p{L}\p{N}_.-])([\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*)\.(\p{L}[\p{L}\p{N}]{1,4})(?![\p{L}\p{N}_(.-])/gu;
const source = /^(?:py|sh|js|jsx|ts|tsx|java|rb|pl|go|cc|cpp|rs|php|cs|kt|scala|swift|sql|class|jar|ipynb|css|html?)$/i;
const home = /(?<=\/(?:home|Users)\/)\p{Ll}+[._]\p{Ll}+(?=\/|\s|$)/gu;

/** `Passport_Ada_Marlow.pdf`, and of another case also `Marlow_contract.pdf` and `/home/ada.marlow`. */
function filesIn(text: string, isOtherCase: boolean): FoundValue[] {
  const files = [...text.matchAll(file)].flatMap(({ 1: stem = '', 2: ending = '', index }): FoundValue[] => {
    const parts = stem.split(/[_-]/);
    const isFull = parts.some((part, at) => isNameWord(part) && isNameWord(parts[at + 1] ?? ''));
    const isNamed = isFull || (isOtherCase && parts.length > 1 && parts.some((part) => isNameWord(part)));
    return isNamed && !source.test(ending) ? [{ kind: 'name', from: index, to: index + stem.length }] : [];
  });
  const homes = isOtherCase ? [...text.matchAll(home)] : [];
  return [
    ...files,
    ...homes.map(({ 0: { length }, index }) => ({ kind: 'name' as const, from: index, to: index + length })),
  ];
}

const shortestName = 4;

/** `fnasser` beside "Farid Nasser" */
function withNamesOf(found: readonly FoundValue[], text: string): FoundValue[] {
  const said = found.flatMap(({ kind, from, to }) => (kind === 'number' ? [] : text.slice(from, to)));
  const quotedNames = [...text.matchAll(quoted)].flatMap(({ 2: name = '' }) => (looksLikeName(name) ? name : []));
  const names = [...said, ...quotedNames]
    .flatMap((value) => value.match(/\p{L}[\p{L}\p{M}]+/gu) ?? [])
    .filter(isNameWord);
  const parts = names.filter(({ length }) => length >= shortestName).map((name) => name.toLowerCase());
  if (parts.length === 0) return [];
  return [...text.matchAll(/(?<![\p{L}\p{N}_./-])[\p{Ll}\p{N}_]+(?![\p{L}\p{N}_/.(=-])/gu)]
    .filter(({ 0: word }) => parts.some((part) => word.includes(part)))
    .map(({ 0: word, index }) => ({ kind: 'name', from: index, to: index + word.length }));
}
