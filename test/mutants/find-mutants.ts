import { type AnyNode, type ArrayExpression, type Expression, type ObjectExpression, parse } from 'acorn';

import { alternativesOf, entriesOf, type Span } from './alternatives.js';

export type MutantKind = 'alternative' | 'row' | 'word';

/** A deletion in a source text. */
export interface Mutant extends Span {
  kind: MutantKind;
  /** The deleted text, for display. */
  text: string;
}

/** Fields that only document a row; deleting one would fail a test for the wrong reason. */
const shown = /^(?:examples?|counter.*|yes|no|not|opposed|alike|matche?s?|misses|advice|title|sentence|says|message)$/i;

/** The parameters of a function that are lists in one string, with their separator. */
interface Helper {
  names: (string | undefined)[];
  lists: Map<number, string>;
}

/** Every alternative of a regular expression, row of a table and word of a list that can be deleted from a compiled module. */
export function findMutants(source: string): Mutant[] {
  const program = parse(source, { ecmaVersion: 'latest', sourceType: 'module' });
  const helpers = new Map<string, Helper>();
  walk(program, [], (node) => {
    const helper = helperOf(node);
    if (helper) helpers.set(helper.name, helper);
  });
  const found: Mutant[] = [];
  const add = (kind: MutantKind, spans: readonly Span[], offset = 0) => {
    for (const { from, to } of spans) {
      found.push({ kind, from: from + offset, to: to + offset, text: source.slice(from + offset, to + offset) });
    }
  };
  walk(program, [], (node, parents) => {
    if (isShown(node, parents, helpers)) return false;
    if (node.type === 'Literal' && node.regex) add('alternative', alternativesOf(node.regex.pattern), node.start + 1);
    else if (node.type === 'Literal' && typeof node.value === 'string') {
      const separator = separatorOf(node, parents, helpers);
      const inside = source.slice(node.start + 1, node.end - 1);
      if (separator !== undefined) add('word', entriesOf(inside, separator), node.start + 1);
      else if (isPattern(inside, parents)) add('alternative', barred(inside), node.start + 1);
    } else if (node.type === 'TemplateElement' && inRegExp(parents)) {
      const isRaw = parents.some(({ type }) => type === 'TaggedTemplateExpression');
      add('alternative', alternativesOf(source.slice(node.start, node.end), isRaw ? '\\' : '\\\\'), node.start);
    } else if (node.type === 'ArrayExpression' && isTable(node, parents)) add('row', rowsIn(node.elements, source));
    else if (node.type === 'ObjectExpression' && isRecord(node, parents)) add('row', rowsIn(node.properties, source));
    return true;
  });
  return found.filter((mutant) => stillParses(source, mutant)).sort((one, other) => one.from - other.from);
}

/** The source without these ranges. */
export function applyMutants(source: string, spans: readonly Span[]): string {
  let text = '';
  let at = 0;
  for (const { from, to } of [...spans].sort((one, other) => one.from - other.from)) {
    if (from > at) text += source.slice(at, from);
    at = Math.max(at, to);
  }
  return text + source.slice(at);
}

function stillParses(source: string, mutant: Mutant): boolean {
  try {
    parse(applyMutants(source, [mutant]), { ecmaVersion: 'latest', sourceType: 'module' });
    return true;
  } catch {
    return false;
  }
}

function walk(
  node: AnyNode,
  parents: readonly AnyNode[],
  visit: (node: AnyNode, parents: readonly AnyNode[]) => unknown,
) {
  if (visit(node, parents) === false) return;
  const below = [...parents, node];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof (child as AnyNode | null)?.type === 'string') walk(child as AnyNode, below, visit);
    }
  }
}

function isFunction({ type }: AnyNode): boolean {
  return ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(type);
}

/** A list at module level, or a set or map anywhere; a pair inside a row is not a list. */
function isTable({ elements }: ArrayExpression, parents: readonly AnyNode[]): boolean {
  const parent = parents.at(-1);
  if (elements.length < 2 || parent?.type === 'ArrayExpression') return false;
  const isSet =
    parent?.type === 'NewExpression' && parent.callee.type === 'Identifier' && /^(?:Set|Map)$/.test(parent.callee.name);
  return isSet || !parents.some(isFunction);
}

/** A table: an object at module level whose values are all of one kind. */
function isRecord({ properties }: ObjectExpression, parents: readonly AnyNode[]): boolean {
  if (properties.length < 3 || parents.some(isFunction) || parents.at(-1)?.type !== 'VariableDeclarator') return false;
  const kinds = properties.map((property) => (property.type === 'Property' ? property.value.type : 'spread'));
  return new Set(kinds).size === 1 && kinds[0] !== 'Identifier';
}

/** Each with its trailing comma. */
function rowsIn(elements: readonly (AnyNode | null)[], source: string): Span[] {
  return elements.flatMap((element) => {
    if (element === null) return [];
    const comma = /^\s*,/.exec(source.slice(element.end, element.end + 200))?.[0].length ?? 0;
    return [{ from: element.start, to: element.end + comma }];
  });
}

function helperOf(node: AnyNode): (Helper & { name: string }) | undefined {
  const [name, made] =
    node.type === 'FunctionDeclaration'
      ? [node.id?.name, node as AnyNode]
      : node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init
        ? [node.id.name, node.init as AnyNode]
        : [];
  if (name === undefined || made === undefined || !isFunction(made)) return undefined;
  const names = (made as { params: AnyNode[] }).params.map((param) =>
    'name' in param ? (param.name as string) : undefined,
  );
  const lists = new Map<number, string>();
  walk(made, [], (inner) => {
    const split = splitOf(inner);
    const index = split?.of.type === 'Identifier' ? names.indexOf(split.of.name) : -1;
    if (split && index >= 0) lists.set(index, split.separator);
  });
  return { name, names, lists };
}

/** `text.split(' ')` */
function splitOf(node: AnyNode): { of: Expression; separator: string } | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined;
  const { object, property } = node.callee;
  const [by] = node.arguments;
  if (
    property.type !== 'Identifier' ||
    property.name !== 'split' ||
    by?.type !== 'Literal' ||
    object.type === 'Super'
  ) {
    return undefined;
  }
  const separator = typeof by.value === 'string' ? by.value : by.regex?.pattern.includes('\\s') ? ' ' : '';
  return separator === '' ? undefined : { of: object, separator };
}

function separatorOf(
  node: AnyNode,
  parents: readonly AnyNode[],
  helpers: ReadonlyMap<string, Helper>,
): string | undefined {
  let at = parents.length - 1;
  let below = node;
  for (; parents[at]?.type === 'BinaryExpression' || parents[at]?.type === 'ParenthesizedExpression'; at--) {
    below = parents[at] as AnyNode;
  }
  const parent = parents[at];
  if (parent?.type === 'MemberExpression' && parent.object === below) {
    return splitOf(parents[at - 1] as AnyNode)?.separator;
  }
  if (parent?.type !== 'CallExpression' || parent.callee.type !== 'Identifier') return undefined;
  return helpers.get(parent.callee.name)?.lists.get(parent.arguments.indexOf(below as Expression));
}

function isShown(node: AnyNode, parents: readonly AnyNode[], helpers: ReadonlyMap<string, Helper>): boolean {
  const parent = parents.at(-1);
  if (node.type === 'Property' && node.key.type === 'Identifier') return shown.test(node.key.name);
  if (parent?.type !== 'CallExpression' || parent.callee.type !== 'Identifier') return false;
  const name = helpers.get(parent.callee.name)?.names[parent.arguments.indexOf(node as Expression)];
  return name !== undefined && shown.test(name);
}

function inRegExp(parents: readonly AnyNode[]): boolean {
  return parents.some(
    (node) =>
      (node.type === 'NewExpression' || node.type === 'CallExpression') &&
      node.callee.type === 'Identifier' &&
      node.callee.name === 'RegExp',
  );
}

/** A string with alternatives, at module level or used to build a regular expression. */
function isPattern(text: string, parents: readonly AnyNode[]): boolean {
  return /[^\s|]\|[^\s|]/.test(text) && (inRegExp(parents) || !parents.some(isFunction));
}

/** Alternatives of a pattern in a string: of a regular expression, or else of each word. */
function barred(text: string): Span[] {
  if (/\\|\(\?|[[\]]/.test(text)) return alternativesOf(text, '\\\\');
  return [...text.matchAll(/[^\s|]+(?:\|[^\s|]+)+/g)].flatMap(({ 0: word, index }) =>
    alternativesOf(word).map(({ from, to }) => ({ from: from + index, to: to + index })),
  );
}
