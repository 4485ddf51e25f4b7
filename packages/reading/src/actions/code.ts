type Language = 'python' | 'javascript' | 'r' | 'ruby' | 'formula' | 'powershell' | 'latex';

const linesRead = 400;
const widthRead = 400;
const leadingName = /^[A-Za-z_$][\w$.]*/;
/** Of a spreadsheet: `=SUM(B2:B9)`. */
const formula = /^=\s?[A-Z][A-Z\d._]{1,30}\(.*\)/;
const modifiers = ['export', 'async', 'await', 'new'];
const assignments = ['=', '+=', '-=', '*=', '/=', '|='];
const blockWords = new Set(['for', 'with', 'while', 'if', 'try', 'elif', 'else', 'except', 'finally']);
const commentMarks = ['#', '//', '"""', "'''"];

/** The language of a script or cell; undefined unless most lines are statements. */
export function codeLanguage(text: string): Language | undefined {
  if (latex.test(text)) return 'latex';
  const lines = text.split('\n', linesRead).map((line) => line.slice(0, widthRead).trimEnd());
  let statements = 0;
  let others = 0;
  let language: Language = 'python';
  lines.forEach((line, number) => {
    if (line === '' || isIndented(line) || isClosing(line)) return;
    if (commentMarks.some((mark) => line.startsWith(mark))) return;
    const found = languageOf(line) ?? (opensBlock(line) && isIndented(lines[number + 1] ?? '') ? 'python' : undefined);
    if (found === undefined) others++;
    else statements++;
    if (found !== undefined && found !== 'python') language = found;
  });
  return statements > others ? language : undefined;
}

function isIndented(line: string): boolean {
  return line !== line.trimStart();
}

function isClosing(line: string): boolean {
  return [...line].every((char) => '])};,'.includes(char));
}

function opensBlock(line: string): boolean {
  const words = wordsOf(line);
  return line.endsWith('{') || (line.endsWith(':') && blockWords.has(leadingName.exec(words[0] ?? '')?.[0] ?? ''));
}

function wordsOf(line: string): string[] {
  const words = line.split(' ');
  while (modifiers.includes(words[0] ?? '')) words.shift();
  return words;
}

/** `Get-ChildItem C:\Temp | …`, `$old = Get-Item a` */
const cmdletLine = /^(?:\$\w{1,60}\s?=\s?)?[A-Z][a-z]{1,20}-[A-Z][A-Za-z]{1,60}(?=[\s;|]|$)/;

/** What a document is made of; a formula such as `\frac{a}{b}`, or bold text, may be an answer. */
const latex =
  /^\\(?:documentclass|usepackage|newcommand|renewcommand|newenvironment|setlength|setcounter|section|subsection|chapter|caption|includegraphics|input|include|immediate|maketitle|tableofcontents|appendix|newpage|clearpage|pagebreak|vspace|hspace|bibliography|begin(?!\{(?:\w?matrix|align|gather|equation|cases|array|math|displaymath)))\*?(?![a-zA-Z])/;

/** `[f(x) for x in y]` */
const comprehension = /^\[.*\w\(.*\).* for .* in .*\]$/;
/** `for x in y: f(x)` */
const lineWithBlock = /^(?:for|with|while|if)\b.{1,200}?: (.+)$/;

function languageOf(line: string): Language | undefined {
  if (formula.test(line)) return 'formula';
  if (cmdletLine.test(line)) return 'powershell';
  if (comprehension.test(line)) return 'python';
  const [, block] = lineWithBlock.exec(line) ?? [];
  if (block !== undefined) return languageOf(block);
  const words = wordsOf(line);
  const [first = '', second = '', third = '', fourth = '', fifth] = words;
  switch (first) {
    case 'import':
      if (words.length === 2 || third === 'as' || second.endsWith(',')) return 'python';
      return words.at(-2) === 'from' && isQuote(words.at(-1)?.[0] ?? '') ? 'javascript' : undefined;
    case 'from':
      if (third !== 'import' || fourth === '') return undefined;
      return fifth === undefined || fifth === 'as' || fourth.endsWith(',') || fourth.startsWith('(')
        ? 'python'
        : undefined;
    case 'puts':
      return words.length === 2 || /["'\d.([]/.test(words.slice(1).join(' ')) ? 'ruby' : undefined;
    case 'def':
    case 'class':
      return second.includes('(') || second.endsWith(':') ? 'python' : undefined;
    case 'function':
      return second.includes('(') ? 'javascript' : undefined;
    case 'const':
    case 'let':
    case 'var': {
      const equals = line.indexOf('=');
      return equals > 0 && line[equals + 1] !== '=' ? 'javascript' : undefined;
    }
  }
  const name = leadingName.exec(words.join(' '))?.[0];
  if (name === undefined) return undefined;
  if (second === '<-' && third !== '') return 'r';
  return isAssignment(words) || isCall(words.join(' '), name) ? 'python' : undefined;
}

/** `df=pd.read_csv(…)` */
const assignedCall = /^[\w$.]+=[\w$.]+\(/;

/** `rows[0], rest = …`, `count: int = …`: names before the sign, not prose. */
function isAssignment(words: readonly string[]): boolean {
  if (assignedCall.test(words[0] ?? '')) return true;
  const sign = words.findIndex((word) => assignments.includes(word));
  if (sign < 1 || words[sign + 1] === undefined) return false;
  return words.slice(0, sign - 1).every((word) => word.endsWith(',') || word.endsWith(':'));
}

/** A call alone, possibly continued on the next line. */
function isCall(line: string, name: string): boolean {
  const end = [';', ':'].reduce((rest, mark) => (rest.endsWith(mark) ? rest.slice(0, -1) : rest), line).at(-1) ?? '';
  return line[name.length] === '(' && ')({[,'.includes(end);
}

const sameLanguage = new Map([
  ['py', 'python'],
  ['python3', 'python'],
  ['ipython', 'python'],
  ['js', 'javascript'],
  ['jsx', 'javascript'],
  ['ts', 'typescript'],
  ['tsx', 'typescript'],
]);

export function languageNamed(name: string): string {
  return sameLanguage.get(name.toLowerCase()) ?? name.toLowerCase();
}

export interface CodeCall {
  /** Dotted name such as `os.path.join`; after a call, only the part behind the last bracket. */
  name: string;
  /** Leading literal string arguments. */
  strings: string[];
  /** Whether these are in a list. */
  isList: boolean;
  /** The start of its arguments, as written. */
  given: string;
  /** A method, of the result of another call or of something named. */
  of?: 'result' | 'object';
}

export const longestCode = 200_000;
const longestGiven = 1_000;
const mostStrings = 60;
const mostCalls = 5_000;
/** Callable without brackets in Perl and Ruby. */
const bareCalls = new Set(['system', 'exec', 'unlink', 'rmtree', 'rmdir', 'rm_rf']);
const bareArgument = /^["'`$@<]|^(?!from$|in$)[\w$]/;

/**
 * Tokens of Python, JavaScript and similar languages: comments, prefixed strings, dotted names, single characters. `#` starts a
 * comment after white space and `//` at the start of a line, since both are operators elsewhere. Strings in plain quotes end
 * with their line.
 */
const scriptToken =
  /(?<comment>(?<!\S)#[^\n]*|(?<=(?:^|\n)[ \t]{0,200})\/\/[^\n]*)|(?<string>[rbfu]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|`(?:\\[\s\S]|[^`\\])*`?))|(?<name>[\w$][\w$.]*)|\S/gi;

interface Token {
  text: string;
  kind: 'string' | 'name' | 'sign';
  start: number;
}

/** Calls in a script, ignoring comments and strings. */
export function callsIn(code: string): CodeCall[] {
  const text = code.slice(0, longestCode);
  const tokens = tokensOf(text);
  const calls: CodeCall[] = [];
  for (let at = 0; at < tokens.length && calls.length < mostCalls; at++) {
    const { text: name, kind, start } = tokens[at] as Token;
    if (kind !== 'name') continue;
    const end = start + name.length;
    const next = tokens[at + 1];
    const isBareName = bareCalls.has(name.slice(name.lastIndexOf('.') + 1));
    const isBare = isBareName && next?.start === end + 1 && bareArgument.test(next.text);
    if (isBare) calls.push(readCall(name, tokens, at + 1, text));
    else if (next?.text === '(' && next.start === end)
      calls.push({ ...readCall(name, tokens, at + 2, text), ...ownerOf(name, tokens, at) });
  }
  return calls;
}

function ownerOf(name: string, tokens: readonly Token[], at: number): Pick<CodeCall, 'of'> {
  const [dot = '', closing = ''] = [tokens[at - 1]?.text, tokens[at - 2]?.text];
  if (dot === '.' && (closing === ')' || closing === ']') && !name.includes('.')) return { of: 'result' };
  return name.includes('.') ? { of: 'object' } : {};
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: token, groups, index: start } of text.matchAll(scriptToken)) {
    if (groups?.['comment'] !== undefined) continue;
    const kind = groups?.['string'] !== undefined ? 'string' : groups?.['name'] !== undefined ? 'name' : 'sign';
    tokens.push({ text: token, kind, start });
  }
  return tokens;
}

function readCall(name: string, tokens: readonly Token[], first: number, text: string): CodeCall {
  const start = tokens[first]?.start ?? text.length;
  const strings: string[] = [];
  let isList = false;
  let isBeginning = true;
  let depth = 0;
  for (let at = first; ; at++) {
    const token = tokens[at];
    if (token?.text === '(') depth += 1;
    else if (token?.text === ')') depth -= 1;
    if (token === undefined || depth < 0 || token.start - start > longestGiven) {
      return {
        name,
        strings,
        isList,
        given: text.slice(start, Math.min(token?.start ?? text.length, start + longestGiven)),
      };
    }
    if (token.text === '[' && isBeginning) isList = true;
    else if (token.kind === 'string' && isBeginning && strings.length < mostStrings)
      strings.push(contentOf(token.text));
    else isBeginning &&= token.text === ',';
  }
}

function isQuote(char: string): boolean {
  return char !== '' && '"\'`'.includes(char);
}

/** Unquotes a string; interpolations become variables. */
function contentOf(text: string): string {
  const quote = [...text].findIndex(isQuote);
  const width = text.startsWith('"""', quote) || text.startsWith("'''", quote) ? 3 : 1;
  const content = text.slice(quote + width, -width).replace(/\\(["'\\])/g, '$1');
  if (text[quote] === '`') return content.replace(/\$\{[^{}]{0,200}\}/g, '$value');
  return text.slice(0, quote).toLowerCase().includes('f') ? content.replace(/\{[^{}]{0,200}\}/g, '$value') : content;
}
