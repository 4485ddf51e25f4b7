type Language = 'python' | 'javascript' | 'r';

/** How one line of a script begins or looks, and what language that speaks for. */
interface StatementRow {
  language: Language;
  pattern: RegExp;
  example: string;
  not: string;
}

export const statementRows: readonly StatementRow[] = [
  {
    language: 'python',
    pattern: /^import [\w.]+(?: as \w+)?(?:, [\w.]+)*$/,
    example: 'import os.path as paths',
    not: 'import the list of customers',
  },
  {
    language: 'python',
    pattern: /^from [\w.]+ import (?:[*(]|\w+(?: as \w+)?(?:, ?\w+(?: as \w+)?){0,40}$)/,
    example: 'from pathlib import Path',
    not: 'from Rome import duties apply',
  },
  {
    language: 'python',
    pattern: /^(?:async )?(?:def \w+\(|class \w+[(:])/,
    example: 'def total(rows):',
    not: 'class begins at nine',
  },
  {
    language: 'python',
    pattern: /^[A-Za-z_][\w.]*(?:\[[^\]]{0,80}\])?(?:, ?[A-Za-z_]\w*){0,9}(?:: ?[\w[\], .]{1,60})? [-+*/|]?= ?[^\s=]/,
    example: 'rows[0], rest = split(table)',
    not: 'the total = 12',
  },
  {
    language: 'javascript',
    pattern: /^(?:export )?(?:const|let|var) [\w$ ,:{}[\]]{1,120}=(?!=)/,
    example: 'const { rows } = await load()',
    not: 'let me see what it is',
  },
  {
    language: 'javascript',
    pattern: /^(?:export )?(?:async )?function \w+\(/,
    example: 'async function load() {',
    not: 'function keys do not help',
  },
  {
    language: 'r',
    pattern: /^[A-Za-z][\w.]* <- \S/,
    example: 'beds <- read.csv("beds.csv")',
    not: 'beds <-> crates',
  },
  {
    language: 'javascript',
    pattern: /^import [\w$ ,*{}]{1,200} from ["']/,
    example: "import { load } from './load.js'",
    not: 'import tax from abroad',
  },
  {
    language: 'python',
    pattern: /^(?:await )?[A-Za-z_$][\w$.]*\((?:.*[)({[,])?:?;?$/,
    example: 'print(rows.groupby("city").sum())',
    not: 'seat(s) are free',
  },
];

const block = /^(?:(?:async )?(?:for|with|while|if|try|elif|else|except|finally)\b.*:|.*\{)\s*$/;
const comment = /^(?:#|\/\/|"""|''')/;
const closing = /^[\])};,]+$/;
const linesRead = 400;
const widthRead = 400;

/** The language of a text that is a script or a cell: most of its lines are statements. */
export function codeLanguage(text: string): Language | undefined {
  const lines = text.split('\n', linesRead).map((line) => line.slice(0, widthRead).trimEnd());
  let statements = 0;
  let others = 0;
  let language: Language = 'python';
  lines.forEach((line, number) => {
    if (line === '' || /^\s/.test(line) || comment.test(line) || closing.test(line)) return;
    const row = statementRows.find(({ pattern }) => pattern.test(line));
    if (row && row.language !== 'python') language = row.language;
    if (row || (block.test(line) && /^\s+\S/.test(lines[number + 1] ?? ''))) statements++;
    else others++;
  });
  return statements > others ? language : undefined;
}

const sameLanguage: { readonly [name: string]: string } = Object.assign(Object.create(null), {
  py: 'python',
  python3: 'python',
  ipython: 'python',
  js: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
});

export function languageNamed(name: string): string {
  return sameLanguage[name.toLowerCase()] ?? name.toLowerCase();
}
