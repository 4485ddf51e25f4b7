import { clip } from '../bounded-text.js';
import type { Action } from './action.js';

const jsonLimit = 64 * 1024;
/** What is nested deeper was made to hurt: whoever goes through it, or writes it down again, runs out of stack. */
const jsonDepth = 100;
const mostCalls = 8;
const argumentWidth = 4_000;
const maxArguments = 24;

const callName = /^([A-Za-z_][\w.-]{1,79}) ?\(/;
const positional = 'argument';
const callTag = '<tool_call>';

/** Reads `name({...})`, `name(key=value)`, and the JSON forms that model providers use; several calls may come in one. */
export function readToolCalls(text: string): Action[] {
  if (text.startsWith(callTag)) return taggedCalls(text);
  if (text.startsWith('{') || text.startsWith('[')) return callsInJson(parseJson(text)).slice(0, mostCalls);
  const [opening, name] = callName.exec(text) ?? [];
  const end = text.endsWith(';') ? text.length - 1 : text.length;
  if (opening === undefined || name === undefined || text.charAt(end - 1) !== ')') return [];
  const args = readArguments(text.slice(opening.length, end - 1).trim());
  return args ? [toolAction(name, args, text)] : [];
}

/** `Action: name` with `Action Input: argument`. */
export function toolCallOf(name: string, input: string): Action {
  const args = argsOf(parseJson(input)) ?? (input === '' ? {} : { [positional]: shortText(input) });
  return toolAction(name, args, `${name}(${input})`);
}

function toolAction(name: string, args: Record<string, string>, text: string): Action {
  return { kind: isThought(name) ? 'think' : 'tool', name, args, text };
}

function isThought(name: string): boolean {
  return /^(?:think|thought|reflect|plan|scratchpad|note)$/i.test(name);
}

function taggedCalls(text: string): Action[] {
  const parts = text.split(callTag, mostCalls + 1).map((part) => part.split('</tool_call>', 1).join('').trim());
  return parts.flatMap(readToolCalls).slice(0, mostCalls);
}

function callsInJson(value: unknown): Action[] {
  if (Array.isArray(value)) return value.slice(0, mostCalls).flatMap(callsInJson);
  if (!isRecord(value)) return [];
  const nested = value['tool_calls'] ?? value['function_call'] ?? value['tool_call'] ?? value['function'];
  if (typeof nested === 'object' && nested !== null) return callsInJson(nested);
  const name = [value['name'], value['tool'], value['tool_name'], value['action'], value['function']].find(
    (candidate): candidate is string => typeof candidate === 'string' && /^[\w.-]{1,80}$/.test(candidate),
  );
  const given = ['arguments', 'args', 'parameters', 'input', 'action_input', 'tool_input', 'params'].find(
    (key) => key in value,
  );
  if (name === undefined || given === undefined) return [];
  const raw = value[given];
  const args = argsOf(typeof raw === 'string' ? (parseJson(raw) ?? raw) : raw) ?? {
    [positional]: shortText(String(raw)),
  };
  return [toolAction(name, args, `${name}(${typeof raw === 'string' ? raw : JSON.stringify(raw)})`)];
}

function readArguments(inside: string): Record<string, string> | undefined {
  if (inside === '') return {};
  if (inside.startsWith('{')) return argsOf(parseJson(inside)) ?? { [positional]: shortText(inside) };
  const named = keywordArguments(inside);
  if (named) return named;
  // What is left is a call only if it could be one: not a sentence with something in brackets.
  return /^["'\d\w[{-]/.test(inside) ? { [positional]: withoutQuotes(shortText(inside)) } : undefined;
}

function keywordArguments(inside: string): Record<string, string> | undefined {
  if (!/^[A-Za-z_]\w*\s*=[^=]/.test(inside)) return undefined;
  const args: Record<string, string> = {};
  for (const part of splitAtCommas(inside).slice(0, maxArguments)) {
    const equals = part.indexOf('=');
    if (equals > 0) args[part.slice(0, equals).trim().slice(0, 60)] = withoutQuotes(shortText(part.slice(equals + 1)));
  }
  return args;
}

/** Commas inside quotes and brackets do not separate. */
function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let quote = '';
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (quote !== '') {
      if (letter === '\\') at++;
      else if (letter === quote) quote = '';
    } else if (letter === '"' || letter === "'") quote = letter;
    else if ('([{'.includes(letter)) depth++;
    else if (')]}'.includes(letter)) depth--;
    else if (letter === ',' && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

function argsOf(value: unknown): Record<string, string> | undefined {
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value)
    .slice(0, maxArguments)
    .map(([key, item]) => [
      key.slice(0, 60),
      shortText(typeof item === 'string' ? item : (JSON.stringify(item) ?? '')),
    ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function shortText(text: string): string {
  return clip(text.slice(0, 2 * argumentWidth).trim(), argumentWidth);
}

/** A quotation mark at one end only belongs to what is quoted inside. */
function withoutQuotes(text: string): string {
  return /^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text;
}

/** The value of a text that is JSON of a size and depth that people send; else undefined. */
export function parseJson(text: string): unknown {
  if (text.length > jsonLimit || depthOf(text) > jsonDepth) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** How deep brackets are nested, those in strings left out. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (isInString) {
      if (letter === '\\') at++;
      else if (letter === '"') isInString = false;
    } else if (letter === '"') isInString = true;
    else if (letter === '{' || letter === '[') deepest = Math.max(deepest, ++depth);
    else if (letter === '}' || letter === ']') depth--;
  }
  return deepest;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
