/** A fenced part of a text. */
export interface Fenced {
  text: string;
  /** Language tag in lower case. */
  language?: string;
}

const fence = /^[ \t]{0,8}(`{3,}|~{3,})(.*)$/;
const languages = new Set(['bash', 'sh', 'shell', 'sql', 'python', 'json']);

/** Fenced parts in order. An unclosed fence extends to the end. */
export function fencesIn(text: string): Fenced[] {
  if (!text.includes('```') && !text.includes('~~~')) return [];
  const parts = text.trim().split('```');
  const inLine = parts.filter((part, at) => at % 2 === 1 && at < parts.length - 1 && !part.includes('\n'));
  if (parts.length === 3 && parts[0] === '' && parts[2] === '' && inLine.length === 1) return inLine.map(firstLine);
  const found: Fenced[] = [];
  let open: { mark: string; language: string; lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    const [, mark = '', rest = ''] = fence.exec(line) ?? [];
    if (open && mark.startsWith(open.mark) && rest.trim() === '') {
      found.push(fenced(open.lines, open.language));
      open = undefined;
    } else if (open) open.lines.push(line);
    else if (mark !== '') open = { mark, ...opened(rest) };
  }
  if (open) found.push(fenced(open.lines, open.language));
  // Inline: the next action is ```click [12]```.
  return found.length === 0 ? inLine.map(firstLine) : found.filter((part) => part.text !== '');
}

function firstLine(text: string): Fenced {
  const { language, lines } = opened(text);
  return lines.length === 0 ? fenced([language]) : fenced(lines, language);
}

/** The rest of the fence line is the language, the first line of content, or both. */
function opened(line: string): { language: string; lines: string[] } {
  const [language = '', ...words] = line.trim().split(' ');
  if (words.length === 0 || words[0]?.includes('=') || words[0]?.startsWith('{')) return { language, lines: [] };
  return languages.has(language.toLowerCase())
    ? { language, lines: [words.join(' ')] }
    : { language: '', lines: [line.trim()] };
}

function fenced(lines: readonly string[], language = ''): Fenced {
  const first = lines.findIndex((line) => line !== '');
  const text = lines.slice(Math.max(first, 0)).join('\n').trimEnd();
  return language === '' ? { text } : { text, language: language.toLowerCase() };
}

export interface Unmarked {
  text: string;
  /** The prompt before it, without its space. */
  prompt?: string;
}

/** Strips surrounding backticks and prompts: `$ ls`, `>>> print(1)`, `sqlite> .tables`. */
export function withoutMarks(text: string): Unmarked {
  const [outside, quoted = '', after, ...more] = text.split('`');
  const isQuoted = outside === '' && after === '' && more.length === 0 && !quoted.includes('\n');
  const bare = isQuoted ? quoted.trim() : text;
  const [first = '', ...rest] = bare.split('\n');
  const mark = /^(?:\$|>>>|>|[a-z]{2,12}>) (?=\S)/.exec(first)?.[0];
  if (mark === undefined) return { text: bare };
  const lines = [first.slice(mark.length)];
  let continuesAt = first.endsWith('\\');
  for (const line of rest) {
    // A line without a prompt is output, unless it continues the line before.
    if (line.startsWith(mark)) lines.push(line.slice(mark.length));
    else if (line.startsWith('... ')) lines.push(line.slice(4));
    else if (continuesAt) lines.push(line);
    continuesAt = line.endsWith('\\');
  }
  return { text: lines.join('\n').trim(), prompt: mark.trim() };
}

export type LabelRole = 'thought' | 'action' | 'input' | 'command' | 'sql' | 'code' | 'observation' | 'answer';

/** Text after a label at the start of a line. */
const labels: Record<LabelRole, readonly string[]> = {
  thought: ['thought', 'thinking', 'reasoning', 'reason'],
  action: ['action', 'tool', 'tool call', 'function call'],
  input: ['action input', 'tool input', 'input', 'arguments'],
  command: ['command', 'cmd', 'bash', 'bash command', 'shell', 'shell command'],
  sql: ['sql', 'sql query', 'query'],
  code: ['code'],
  observation: ['observation'],
  answer: ['final answer'],
};
const roles = new Map(
  Object.entries(labels).flatMap(([role, names]) => names.map((name) => [name, role as LabelRole])),
);

const labelled =
  /^[ \t]{0,8}[#*]{0,4} ?([A-Za-z]{3,12}(?:[ _][A-Za-z]{3,12})?)(?: ?\d{1,3})?[*]{0,2} ?:[*]{0,2}(?:[ \t]+|$)/;
const inlineLabel = /([\s.])((?:Action(?: Input)?|Final Answer)(?: ?\d{1,3})?: )/g;

export interface Section {
  role?: LabelRole;
  /** The label as written, with its punctuation. */
  label: string;
  text: string;
}

export function labelOf(line: string): { role: LabelRole; label: string } | undefined {
  const [label, name = ''] = labelled.exec(line.slice(0, 80)) ?? [];
  const role = roles.get(name.toLowerCase().replace('_', ' '));
  return role && label !== undefined ? { role, label } : undefined;
}

/** Splits a text at its labels; undefined unless a label announces an action or the text starts with a thought. */
export function sectionsIn(text: string): Section[] | undefined {
  const lines = text.split('\n');
  const isThought = labelOf(lines[0] ?? '')?.role === 'thought';
  const cut = isThought ? text.replace(inlineLabel, '$1\n$2').split('\n') : lines;
  const sections: (Omit<Section, 'text'> & { lines: string[] })[] = [];
  let isFenced = false;
  for (const line of cut) {
    if (fence.test(line.slice(0, 240))) isFenced = !isFenced;
    const found = isFenced ? undefined : labelOf(line);
    const last = sections.at(-1);
    if (found) sections.push({ ...found, lines: [line.slice(found.label.length)] });
    else if (last) last.lines.push(line);
    else sections.push({ label: '', lines: [line] });
  }
  const acts = sections.some(({ role }) => role !== undefined && role !== 'input' && role !== 'observation');
  if (!acts) return undefined;
  return sections.map(({ lines: own, ...section }) => ({ ...section, text: own.join('\n').trim() }));
}
