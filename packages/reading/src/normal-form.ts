import { createHash } from 'node:crypto';
import type { Action, Arguments, Literal } from './action.js';
import { callsIn } from './code.js';
import { shellForm } from './shell-form.js';
import { readShell } from './shell-reader.js';
import { readSql } from './sql.js';
import { sqlForm } from './sql-form.js';

const longestForm = 2_000;
const longestText = 100_000;
const deepestValue = 40;
const mostObjects = 20;

/** What an action does in one spelling: equal deeds are equal, and one other argument makes another deed. */
export function normalForm(action: Action): string {
  const form = formOf(action);
  // Too long to be kept whole: the rest still tells it from others.
  return form.length <= longestForm ? form : `${form.slice(0, longestForm)}…${deedName(form)}`;
}

/** A short name of a normal form. */
export function deedName(form: string): string {
  return createHash('sha256').update(form).digest('hex').slice(0, 10);
}

function formOf({ kind, verb, object, args, text }: Action): string {
  switch (kind) {
    case 'command':
      return shellForm(text) ?? oneLine(text);
    case 'sql':
      return sqlForm(text) ?? oneLine(text);
    case 'code':
      return codeForm(text);
    case 'call':
      return `${verb}(${[object, argumentsForm(args)].filter((part) => part !== undefined).join(', ')})`;
    case 'http':
      return [verb.toUpperCase(), object, argumentsForm(args)].filter((part) => part !== undefined).join(' ');
    case 'edit':
      return `edit ${object ?? ''} ${argumentsForm(args) ?? oneLine(text)}`;
    case 'reply':
      return wordsOf(text);
    default:
      return `${kind} ${wordsOf(text)}`.trim();
  }
}

function oneLine(text: string): string {
  return text.slice(0, longestText).replace(/\s+/g, ' ').trim();
}

function wordsOf(text: string): string {
  return (
    text
      .slice(0, longestText)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ');
}

/** Without comments, blank lines and blanks that say nothing; indentation stays. */
function codeForm(text: string): string {
  const lines = text.slice(0, longestText).replaceAll('\t', '    ').split('\n');
  const told = lines.filter((line) => !/^ *(?:#|\/\/|$)/.test(line.trimEnd()));
  return told
    .map((line) =>
      line
        .replace(/(?<=\S) +/g, ' ')
        .trimEnd()
        .replaceAll('"', "'")
        .replace(/;$/, ''),
    )
    .join('\n');
}

function argumentsForm(args: Arguments | undefined): string | undefined {
  return args === undefined || Object.keys(args).length === 0 ? undefined : JSON.stringify(sorted(args, 0));
}

function sorted(value: Literal, depth: number): Literal {
  if (typeof value !== 'object' || value === null || depth > deepestValue) return depth > deepestValue ? '…' : value;
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null, depth + 1)]));
}

/** What an action is about: its programs, its tables, its tool, its path, its file. */
export function objectsOf(action: Action): string[] {
  const { kind, verb, object, text } = action;
  const told: (string | undefined)[] = [];
  if (kind === 'command') told.push(...(readShell(text) ?? []).map(({ program }) => program));
  else if (kind === 'sql') told.push(...(readSql(text) ?? []).flatMap(({ tables }) => tables));
  else if (kind === 'code') told.push(...callsIn(text).map(({ name }) => name));
  else if (kind === 'call') told.push(verb, object);
  else if (kind === 'http') told.push(object?.split(/[?#]/, 1)[0]);
  else if (kind === 'edit') told.push(object);
  return [...new Set(told.filter((name) => name !== undefined && name !== ''))].slice(0, mostObjects) as string[];
}
