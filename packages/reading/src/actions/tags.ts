import type { Arguments, Literal } from './action.js';
import { isCommonVerb, isToolName } from './call-names.js';
import { type RawAction, rawActionsIn } from './calls.js';
import { executorNamed } from './executed.js';
import { isRecord, opened, readLiteral } from './literals.js';

export interface Element {
  name: string;
  /** `<function=search>` */
  value?: string;
  attributes: Arguments;
  inside: string;
  start: number;
  end: number;
}

const opening =
  /<([A-Za-z_][\w.:-]{0,60})(?:=["']?([\w.-]{1,80})["']?)?((?:\s{1,20}[\w:-]{1,40}=(?:"[^"]{0,4000}"|'[^']{0,4000}'))*)\s{0,20}(\/?)>/y;
const attribute = /([\w:-]{1,40})=(?:"([^"]*)"|'([^']*)')/g;
const closing = /<\/([A-Za-z_][\w.:-]{0,60})\s{0,20}>/g;
/** Control tokens in raw model output: `<|im_end|>`. */
const specialToken = /<[|｜][^<>|｜\n]{1,40}[|｜]>/g;

const thoughtTags = new Set(['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'scratchpad', 'reflection']);
const holders = new Set(
  'tool_call tool_calls tool_use function_call function_calls function invoke tool action actions call'.split(' '),
);
const executing = new Set(['execute', 'execute_command', 'run', 'command', 'cmd', 'code']);
const answers = new Set(['answer', 'final_answer']);
const deepestElement = 5;

/** Top-level elements. An element with content may be closed by the end of the text. */
export function elementsIn(text: string): Element[] {
  if (!text.includes('<')) return [];
  const closes = new Map<string, Positions>();
  for (const { 1: name = '', index } of text.matchAll(closing)) {
    const positions = closes.get(name) ?? { next: 0, all: [] };
    positions.all.push(index);
    closes.set(name, positions);
  }
  const elements: Element[] = [];
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const element = elementAt(text, at, closes);
    if (element) elements.push(element);
    at = element?.end ?? at + 1;
  }
  return elements;
}

function elementAt(text: string, start: number, closes: Map<string, Positions>): Element | undefined {
  opening.lastIndex = start;
  const [whole, name, value, attributes = '', slash] = opening.exec(text) ?? [];
  if (whole === undefined || name === undefined) return undefined;
  const from = start + whole.length;
  const close = slash === '/' ? from : nextAfter(closes.get(name), from);
  if (close === undefined && value === undefined && !isTelling(name)) return undefined;
  const to = close ?? text.length;
  const end = slash === '/' || close === undefined ? to : text.indexOf('>', close) + 1;
  return {
    name,
    ...(value === undefined ? {} : { value }),
    attributes: attributesIn(attributes),
    inside: text.slice(from, to),
    start,
    end,
  };
}

interface Positions {
  next: number;
  all: number[];
}

/** Callers ask in ascending order, so earlier positions can be dropped. */
function nextAfter(positions: Positions | undefined, from: number): number | undefined {
  while (positions && (positions.all[positions.next] ?? from) < from) positions.next++;
  return positions?.all[positions.next];
}

function attributesIn(text: string): Arguments {
  return Object.fromEntries(
    [...text.matchAll(attribute)].map(({ 1: name = '', 2: double, 3: single }) => [name, double ?? single ?? '']),
  );
}

function isTelling(name: string): boolean {
  return thoughtTags.has(name.toLowerCase()) || holders.has(name) || executorNamed(name) !== undefined;
}

/** Separates thoughts from the rest of a text. */
export function withoutThoughts(text: string): { text: string; thoughts: string[] } {
  const plain = text.replace(specialToken, '\n');
  const thoughts: string[] = [];
  const kept: string[] = [];
  let at = 0;
  // A chat template may emit the opening tag, leaving only the closing one.
  for (const tag of ['think', 'thinking']) {
    const end = plain.indexOf(`</${tag}>`);
    if (end < 0 || plain.slice(0, end).includes(`<${tag}>`)) continue;
    thoughts.push(plain.slice(0, end).trim());
    at = end + tag.length + 3;
  }
  for (const element of elementsIn(plain)) {
    if (!thoughtTags.has(element.name.toLowerCase()) || element.start < at) continue;
    kept.push(plain.slice(at, element.start));
    thoughts.push(element.inside.trim());
    at = element.end;
  }
  kept.push(plain.slice(at));
  return { text: kept.join('').trim(), thoughts: thoughts.filter((thought) => thought !== '') };
}

/** The actions in the tags of a text. */
export function taggedActions(text: string, depth = 0): RawAction[] {
  if (depth > deepestElement) return [];
  return elementsIn(text).flatMap((element) => (beginsLine(text, element.start) ? rawActionsOf(element, depth) : []));
}

/** Inline tags are part of the prose, unless right after another tag. */
function beginsLine(text: string, start: number): boolean {
  let at = start - 1;
  while (text[at] === ' ' || text[at] === '\t') at--;
  return at < 0 || text[at] === '\n' || text[at] === '>';
}

function rawActionsOf(element: Element, depth: number): RawAction[] {
  const { name, value, attributes, inside } = element;
  const tool = value === undefined && holders.has(name) ? toolIn(attributes) : undefined;
  if (tool) return [calling(tool.verb, { ...tool.rest, ...argumentsIn(inside) })];
  if (value !== undefined) return [calling(value, { ...attributes, ...argumentsIn(inside) })];
  if (thoughtTags.has(name)) return [];
  const text = inside.trim();
  if (text === '') return [];
  if (answers.has(name)) return [{ text, as: 'finish' }];
  if (holders.has(name)) return heldBetween(inside, depth);
  const children = childrenOf(inside);
  if (children && name.includes('_')) {
    const held = rawActionsIn(children);
    return held.some((raw) => 'verb' in raw) ? held : [calling(name, children)];
  }
  const kind = executorNamed(name);
  if (kind !== undefined) return [{ text, as: kind }];
  if (executing.has(name)) return [{ text }];
  return isCommonVerb(name) && !text.includes('<')
    ? [{ verb: name, args: { 0: text }, form: { call: name, args: { 0: text } } }]
    : [];
}

function heldBetween(inside: string, depth: number): RawAction[] {
  const literal = readLiteral(inside);
  const rawActions = literal === undefined ? taggedActions(inside, depth + 1) : rawActionsIn(literal);
  if (rawActions.length > 0 || literal !== undefined) return rawActions;
  const children = childrenOf(inside);
  return children ? rawActionsIn(children) : [{ text: inside.trim() }];
}

function calling(verb: string, args: Arguments): RawAction {
  return { verb, args, form: { call: verb, args: { 0: args } } };
}

/** The tool named by attributes, and the other attributes. */
function toolIn(attributes: Arguments): { verb: string; rest: Arguments } | undefined {
  const key = ['name', 'tool', 'type', 'function'].find((name) => isToolName(attributes[name]));
  if (key === undefined) return undefined;
  const { [key]: verb, id: _, ...rest } = attributes;
  return { verb: verb as string, rest };
}

/** `<parameter=path>a</parameter>`, `<parameter name="path">a</parameter>`, `<path>a</path>`, or JSON */
function argumentsIn(inside: string): Arguments {
  const literal = readLiteral(inside);
  if (isRecord(literal)) return literal;
  return childrenOf(inside) ?? (inside.trim() === '' ? {} : { 0: inside.trim() });
}

/** Elements of a text that contains nothing else. */
function childrenOf(inside: string): Arguments | undefined {
  const elements = elementsIn(inside);
  let at = 0;
  for (const { start, end } of elements) {
    if (inside.slice(at, start).trim() !== '') return undefined;
    at = end;
  }
  if (elements.length === 0 || inside.slice(at).trim() !== '') return undefined;
  return Object.fromEntries(
    elements.map(({ name, value, attributes, inside: text }) => [
      value ?? String(attributes['name'] ?? name),
      readValueOf(text),
    ]),
  );
}

function readValueOf(text: string): Literal {
  const value = opened(text);
  return typeof value === 'string' ? value.trim() : value;
}
