import { forEachChild, type ParsedScript, parse, type Redirection, type SyntaxNode, type Word } from 'unbash';
import { forLargeResults, memoizeByText } from '../memoize-by-text.js';
import { isRoot } from './operand-classes.js';
import { inputOf, literalOutput, readsCodeFromInput } from './programs.js';
import { nestedIn, shells, unwrap } from './shell-nesting.js';
import {
  baseName,
  hasWildcard,
  type ShellCommand,
  type ShellRedirect,
  type ShellWord,
  sortArguments,
} from './shell-words.js';

/** The parser takes quadratic time for some texts; agents type nothing longer. */
const longestText = 100_000;
const mostHereDocs = 200;
const mostBraces = 500;
const mostCommands = 2_000;
const deepestNesting = 5;
const deepestTree = 600;
const longestValue = 2_000;

/** All simple commands of a script, nested ones included. Undefined if the text is not shell. */
export const readShell = memoizeByText((text: string): readonly ShellCommand[] | undefined => {
  const script = parseShell(text);
  if (script === undefined) return undefined;
  const walk: Walk = { commands: [], pipelines: 0, variables: new Map() };
  walkTree(script, { depth: 0, levels: 0, positions: true }, walk);
  return walk.commands;
}, forLargeResults);

/** The syntax tree; undefined if the text has syntax errors or is too large. */
export function parseShell(text: string): ParsedScript | undefined {
  if (!isBounded(text)) return undefined;
  try {
    const script = parse(text);
    return script.errors === undefined || script.errors.length === 0 ? script : undefined;
  } catch {
    return undefined;
  }
}

function isBounded(text: string): boolean {
  if (text.length > longestText) return false;
  let braces = 0;
  let hereDocs = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '{') braces += 1;
    else if (char === ' ' || char === '\n' || char === '\t') braces = 0;
    else if (char === '<' && text[at + 1] === '<') hereDocs += 1;
    if (braces > mostBraces || hereDocs > mostHereDocs) return false;
  }
  return true;
}

interface Walk {
  commands: ShellCommand[];
  pipelines: number;
  /** Variables set by the script, so that `D=/; rm -rf $D` is resolved. */
  variables: Map<string, string | undefined>;
}

interface Place {
  /** Depth of nested commands. */
  depth: number;
  /** Depth in the syntax tree. */
  levels: number;
  /** Whether positions refer to the whole text. */
  positions: boolean;
  outer?: ShellCommand;
  use?: 'runs' | 'output' | 'program';
  pipeline?: number;
  place?: number;
  definedIn?: string;
}

function walkTree(node: SyntaxNode, place: Place, walk: Walk): void {
  if (walk.commands.length >= mostCommands || place.levels > deepestTree || place.depth > deepestNesting) {
    addUnreadable(place, walk);
    return;
  }
  const below = { ...place, levels: place.levels + 1 };
  switch (node.type) {
    case 'Command':
      addCommand(node, below, walk);
      return;
    case 'Pipeline': {
      const pipeline = place.pipeline ?? nextPipeline(walk);
      const first = place.place ?? 0;
      for (const [at, command] of node.commands.entries())
        walkTree(command, { ...below, pipeline, place: first + at }, walk);
      return;
    }
    case 'Function':
      walkTree(node.body, { ...below, definedIn: node.name.value }, walk);
      return;
    case 'Redirected':
      walkTree(node.command, below, walk);
      addRedirects(node.redirects, below, walk);
      return;
    case 'Assignment': {
      const isPlain = !node.append && node.index === undefined;
      if (walk.variables.size < mostCommands) walk.variables.set(node.name, isPlain ? assigned(node, walk) : undefined);
      break;
    }
    case 'For':
      // Loop variables take their most harmful value.
      walk.variables.set(
        node.name.text,
        node.wordlist?.map((word) => readWord(word, walk).value).find((value) => value !== undefined && isRoot(value)),
      );
      break;
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion': {
      const { pipeline: _pipeline, place: _place, ...outside } = below;
      if (node.script === undefined || (node.script.errors?.length ?? 0) > 0) addUnreadable(below, walk);
      else
        walkTree(
          node.script,
          { ...outside, depth: place.depth + 1, positions: false, use: place.use ?? 'output' },
          walk,
        );
      return;
    }
  }
  forEachChild(node, (child) => walkTree(child, below, walk));
}

function nextPipeline(walk: Walk): number {
  walk.pipelines += 1;
  return walk.pipelines;
}

type Assignment = Extract<SyntaxNode, { type: 'Assignment' }>;

function assigned({ value }: Assignment, walk: Walk): string | undefined {
  return value.type === 'Word' ? readWord(value, walk).value : undefined;
}

function blank(place: Place, walk: Walk): ShellCommand {
  return {
    program: '',
    options: [],
    operands: [],
    words: [],
    before: [],
    assigns: [],
    redirects: [],
    wrappers: [],
    place: place.place ?? 0,
    pipeline: place.pipeline ?? nextPipeline(walk),
    inner: place.outer !== undefined,
    unreadable: false,
    ...(place.outer && { outer: place.outer, use: place.use ?? 'runs' }),
    ...(place.definedIn !== undefined && { definedIn: place.definedIn }),
  };
}

function addUnreadable(place: Place, walk: Walk): void {
  const last = walk.commands.at(-1);
  // One is enough: hostile texts have thousands.
  if (last?.unreadable && last.words.length === 0) return;
  walk.commands.push({ ...blank(place, walk), unreadable: true });
}

function addRedirects(redirections: readonly Redirection[], place: Place, walk: Walk): void {
  const redirects = redirections.map((redirection) => readRedirect(redirection, walk));
  const command = { ...blank(place, walk), redirects };
  walk.commands.push(command);
  for (const redirection of redirections) walkTree(redirection, { ...place, outer: command, use: 'output' }, walk);
}

function addCommand(node: Extract<SyntaxNode, { type: 'Command' }>, place: Place, walk: Walk): void {
  const command = blank(place, walk);
  walk.commands.push(command);
  if (place.positions) command.span = { start: node.pos, end: node.end };
  command.redirects = node.redirects.map((redirection) => readRedirect(redirection, walk));
  const inside: Place = { ...place, outer: command, use: 'output' };
  for (const part of node.prefix) {
    if (part.type === 'Assignment') command.assigns.push(part.text);
    walkTree(part, inside, walk);
  }
  if (node.name) {
    const named = node.name;
    walkTree(named, { ...inside, use: 'program' }, walk);
    const words = [readWord(named, walk), ...node.args.map((argument) => readArgument(argument, walk))];
    for (const part of node.suffix) walkTree(part, inside, walk);
    fill(command, words, inside, walk);
  }
}

function readArgument(argument: Word | Assignment, walk: Walk): ShellWord {
  if (argument.type === 'Word') return readWord(argument, walk);
  const value = assigned(argument, walk);
  return { text: argument.text, value: value === undefined ? undefined : `${argument.name}=${value}` };
}

function fill(command: ShellCommand, words: readonly ShellWord[], inside: Place, walk: Walk): void {
  const bare = unwrap(words);
  command.words = [...bare.words];
  command.wrappers = bare.wrappers;
  command.before = [...bare.before];
  command.assigns.push(...bare.assigns);
  const name = bare.words[0]?.value;
  // Braces and wildcards change the name (`{rm,-rf,/}`, `/bin/r?`); letters of other scripts only resemble it.
  command.unreadable =
    name === undefined || name === '' || /[^\x20-\x7e]/.test(name) || (name.length > 2 && hasWildcard(name));
  // `python3.11` is `python3`.
  command.program = baseName(name ?? '').replace(/^((?:python|pip)\d?)\.\d{1,2}$/, '$1');
  const { nested, own } = nestedIn(command.program, bare.words);
  Object.assign(command, sortArguments(command.program, own.slice(1)));
  for (const text of scriptsGiven(command, walk)) nested.push({ script: text });
  const deeper: Place = { ...inside, depth: inside.depth + 1, positions: false, use: 'runs' };
  delete deeper.pipeline;
  delete deeper.place;
  for (const part of nested) {
    if (inside.depth >= deepestNesting || walk.commands.length >= mostCommands) addUnreadable(deeper, walk);
    else if ('script' in part) readNested(part.script, deeper, walk);
    else {
      const inner = blank(deeper, walk);
      inner.redirects = command.redirects.filter(({ operator }) => operator.startsWith('<<'));
      walk.commands.push(inner);
      fill(inner, part.words, { ...deeper, outer: inner }, walk);
    }
  }
}

function readNested(text: string, place: Place, walk: Walk): void {
  const script = parseShell(text);
  if (script === undefined) addUnreadable(place, walk);
  else walkTree(script, place, walk);
}

/** Scripts on standard input: a here-document, or `echo` piped in. */
function scriptsGiven(command: ShellCommand, walk: Walk): string[] {
  const logsIn = (command.program === 'ssh' && command.operands.length === 1) || command.program === 'su';
  if (!logsIn && !(shells.has(command.program) && readsCodeFromInput(command))) return [];
  const before = walk.commands.findLast(
    (other) => other.pipeline === command.pipeline && other.place === command.place - 1,
  );
  const said = before && literalOutput(before);
  return [...inputOf(command), ...(said === undefined ? [] : [said])];
}

function readRedirect(redirection: Redirection, walk: Walk): ShellRedirect {
  if (redirection.type === 'HereDoc') return { operator: redirection.operator, target: redirection.body.text };
  const target = redirection.target && readWord(redirection.target, walk);
  const descriptor = redirection.descriptor;
  const from = descriptor?.type === 'FileDescriptor' ? String(descriptor.value) : '';
  return { operator: `${from}${redirection.operator}`, target: target?.value ?? target?.text ?? '' };
}

/** Expands a word, substituting variables set by the script. */
function readWord(word: Word, walk: Walk): ShellWord {
  const value = word.parts === undefined ? word.value : valueOfParts(word.parts, walk, 0);
  return { text: word.text, value: value !== undefined && value.length <= longestValue ? value : undefined };
}

type Part = NonNullable<Word['parts']>[number];

function valueOfParts(parts: readonly Part[], walk: Walk, depth: number): string | undefined {
  let value = '';
  for (const part of parts) {
    const piece = valueOfPart(part, walk, depth);
    if (piece === undefined || value.length > longestValue) return undefined;
    value += piece;
  }
  return value;
}

function valueOfPart(part: Part, walk: Walk, depth: number): string | undefined {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value;
    case 'Glob':
      return part.text;
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return part.text.includes('$') || part.text.includes('`') ? undefined : part.text;
    case 'DoubleQuoted':
    case 'LocaleString':
      return depth < deepestNesting ? valueOfParts(part.parts, walk, depth + 1) : undefined;
    case 'SimpleExpansion':
      return walk.variables.get(part.text.slice(1));
    case 'ParameterExpansion':
      return part.operation === undefined && part.index === undefined
        ? walk.variables.get(part.text.slice(2, -1))
        : undefined;
    default:
      return undefined;
  }
}
