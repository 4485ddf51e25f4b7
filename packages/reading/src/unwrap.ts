/** A part of a text that stood between fences. */
export interface Fenced {
  text: string;
  /** As the fence names it, in small letters. */
  language?: string;
}

const fence = /^[ \t]{0,8}(`{3,}|~{3,})[ \t]*([\w+#.-]{0,20})(.*)$/;
/** In the middle of a sentence: the next action is ```click [12]```. */
const inLine = /```([^`\n]+)```/g;
const inlineFence = /^```([^`]+)```$/;
const languages = new Set(['bash', 'sh', 'shell', 'sql', 'python', 'json']);

/** Everything between fences, in order. A fence that is never closed goes on to the end. */
export function fencesIn(text: string): Fenced[] {
  if (!text.includes('```') && !text.includes('~~~')) return [];
  const oneLine = inlineFence.exec(text.trim())?.[1];
  if (oneLine !== undefined && !oneLine.includes('\n')) return [firstLine(oneLine)];
  const found: Fenced[] = [];
  let open: { mark: string; language: string; lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    const [, mark = '', language = '', rest = ''] = fence.exec(line) ?? [];
    if (open && mark.startsWith(open.mark) && language === '') {
      found.push(fenced(open.lines.join('\n'), open.language));
      open = undefined;
    } else if (open) open.lines.push(line);
    else if (mark !== '') open = { mark, ...opened(`${language}${rest}`) };
  }
  if (open) found.push(fenced(open.lines.join('\n'), open.language));
  if (found.length === 0) return [...text.matchAll(inLine)].map(([, inside = '']) => firstLine(inside));
  return found.filter((part) => part.text !== '');
}

function firstLine(text: string): Fenced {
  const { language, lines } = opened(text);
  return lines.length === 0 ? fenced(language) : fenced(lines.join('\n'), language);
}

/** What stands behind the mark is the language, or already the first line, or both. */
function opened(line: string): { language: string; lines: string[] } {
  const [language = '', ...words] = line.trim().split(' ');
  if (words.length === 0 || /[={]/.test(words[0] ?? '')) return { language, lines: [] };
  return languages.has(language.toLowerCase())
    ? { language, lines: [words.join(' ')] }
    : { language: '', lines: [line.trim()] };
}

function fenced(text: string, language = ''): Fenced {
  const inside = text.replace(/^\n+|\s+$/g, '');
  return language === '' ? { text: inside } : { text: inside, language: language.toLowerCase() };
}

export interface Unmarked {
  text: string;
  /** The prompt that stood before it, without its space. */
  prompt?: string;
}

/** A text without back-ticks around it and without prompts: `$ ls`, `>>> print(1)`, `sqlite> .tables`. */
export function withoutMarks(text: string): Unmarked {
  const bare = /^`[^`\n]+`$/.test(text) ? text.slice(1, -1).trim() : text;
  const [first = '', ...rest] = bare.split('\n');
  const mark = /^(?:\$|>>>|>|[a-z]{2,12}>) (?=\S)/.exec(first)?.[0];
  if (mark === undefined) return { text: bare };
  const lines = [first.slice(mark.length)];
  let goesOn = first.endsWith('\\');
  for (const line of rest) {
    // Without the prompt it is what the command printed, unless the line before goes on.
    if (line.startsWith(mark)) lines.push(line.slice(mark.length));
    else if (goesOn || line.startsWith('... ')) lines.push(line.replace(/^\.\.\. /, ''));
    goesOn = line.endsWith('\\');
  }
  return { text: lines.join('\n').trim(), prompt: mark.trim() };
}

export type LabelRole = 'thought' | 'action' | 'input' | 'command' | 'sql' | 'code' | 'observation' | 'answer';

/** What stands behind a label at the beginning of a line. */
interface LabelRow {
  label: string;
  role: LabelRole;
  example: string;
  not: string;
}

export const labelRows: readonly LabelRow[] = [
  { label: 'thought', role: 'thought', example: 'Thought: two are left.', not: 'Thoughtful: yes' },
  { label: 'thinking', role: 'thought', example: 'Thinking: two are left.', not: 'Thinking of you:' },
  { label: 'reasoning', role: 'thought', example: '**Reasoning:** two are left.', not: 'Reasonings: none' },
  { label: 'reason', role: 'thought', example: 'Reason: two are left.', not: 'Reasons: two' },
  { label: 'action', role: 'action', example: 'Action 2: search[tea]', not: 'Action needed: call us' },
  { label: 'tool', role: 'action', example: 'Tool: search', not: 'Tools: hammer' },
  { label: 'tool call', role: 'action', example: 'Tool call: search(q="tea")', not: 'Tool called: none' },
  { label: 'function call', role: 'action', example: 'Function call: search(q="tea")', not: 'Function called: none' },
  { label: 'action input', role: 'input', example: 'Action Input: {"q": "tea"}', not: 'Action inputs: two' },
  { label: 'tool input', role: 'input', example: 'Tool Input: {"q": "tea"}', not: 'Tool inputs: two' },
  { label: 'input', role: 'input', example: 'Input: tea', not: 'Inputs: tea' },
  { label: 'arguments', role: 'input', example: 'Arguments: {"q": "tea"}', not: 'Argument: tea' },
  { label: 'command', role: 'command', example: 'Command: ls -la', not: 'Commander: Ada' },
  { label: 'cmd', role: 'command', example: 'cmd: ls -la', not: 'cmds: many' },
  { label: 'bash', role: 'command', example: 'Bash: ls -la', not: 'Bashful: yes' },
  { label: 'bash command', role: 'command', example: 'BASH command: ls -la', not: 'A bash command: which?' },
  { label: 'shell', role: 'command', example: 'Shell: ls -la', not: 'Shells: two' },
  { label: 'shell command', role: 'command', example: 'Shell command: ls -la', not: 'Shell commands: ls' },
  { label: 'sql', role: 'sql', example: 'SQL: SELECT 1', not: 'SQLite: 3' },
  { label: 'sql query', role: 'sql', example: 'SQL query: SELECT 1', not: 'SQL queries: two' },
  { label: 'query', role: 'sql', example: 'Query: SELECT 1', not: 'Queries: two' },
  { label: 'code', role: 'code', example: 'Code: print(1)', not: 'Codes: 12' },
  { label: 'observation', role: 'observation', example: 'Observation: 12', not: 'Observations: two' },
  { label: 'final answer', role: 'answer', example: 'Final Answer: 42', not: 'Final answers: two' },
];

const labelled =
  /^[ \t]{0,8}[#*]{0,4} ?([A-Za-z]{3,12}(?:[ _][A-Za-z]{3,12})?)(?: ?\d{1,3})?[*]{0,2} ?:[*]{0,2}(?:[ \t]+|$)/;
const inlineLabel = /([\s.])((?:Action(?: Input)?|Final Answer)(?: ?\d{1,3})?: )/g;

export interface Section {
  role?: LabelRole;
  /** The label as it was written, with its sign. */
  label: string;
  text: string;
}

export function labelOf(line: string): { role: LabelRole; label: string } | undefined {
  const [label, name = ''] = labelled.exec(line.slice(0, 80)) ?? [];
  const wanted = name.toLowerCase().replace('_', ' ');
  const row = label === undefined ? undefined : labelRows.find((candidate) => candidate.label === wanted);
  return row && label !== undefined ? { role: row.role, label } : undefined;
}

/** A text cut at its labels; undefined where none of them says that something is done, or thought first of all. */
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
