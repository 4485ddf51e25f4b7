import { codeLanguage, languageNamed } from './code.js';

describe('codeLanguage', () => {
  it.each([
    ['python', 'import os.path as paths', 'import the list of customers'],
    ['python', 'from pathlib import Path', 'from Rome import duties apply'],
    ['python', 'def total(rows):', 'class begins at nine'],
    ['python', 'rows[0], rest = split(table)', 'the total = 12'],
    ['python', 'print(rows.groupby("city").sum())', 'seat(s) are free'],
    ['javascript', 'const { rows } = await load()', 'let me see what it is'],
    ['javascript', 'async function load() {', 'function keys do not help'],
    ['javascript', "import { load } from './load.js'", 'import tax from abroad'],
    ['formula', '=SUMIF(B2:B9, "paid", C2:C9) / 2', '= (as agreed)'],
    ['python', 'for bed in beds: print(bed)', 'for your trip: pack a coat'],
    ['python', 'with open("a") as file: print(file.read())', 'if you like it: say so'],
    ['python', 'while rows: rows = rows[1:]', 'while you wait: a short film'],
    ['python', '[print(bed) for bed in beds]', '[ask (again) for help in the hall]'],
    ['python', 'new Bed(3).save()', 'new beds (three)'],
    ['ruby', 'puts beds.sum', 'puts the kettle on'],
    ['latex', '\\usepackage[a5paper]{geometry}', '\\boxed{7}'],
    ['latex', '\\input{tab/wide}', '\\begin{pmatrix}1\\\\2\\end{pmatrix}'],
    ['latex', '\\newpage\n\\appendix', '\\emptyset'],
    ['latex', '\\section*{Pots}', '\\textbf{Answer: C}'],
    ['latex', '\\begin{tabular}{lr}\na & 2 \\\\\n\\end{tabular}', '\\frac{a}{b}'],
    ['r', 'beds <- read.csv("beds.csv")', 'beds <-> crates'],
  ])('sees %s in %j and not in %j', (language, example, not) => {
    expect(codeLanguage(example)).toBe(language);
    expect(codeLanguage(not)).toBeUndefined();
  });

  it.each([
    'import os, sys',
    'from a.b import *',
    'from a import (',
    'from a import b as c, d',
    'async def load():',
    'class Bed:',
    'class Bed(Base):',
    'total += 3',
    'total -= 3',
    'total *= 3',
    'total /= 3',
    'total |= 3',
    'bed.row = 3',
    'count: int = 3',
    'await load(3)',
    'beds.sort(\n  key=row,\n)',
    'load({',
    'load([',
    'load(a,',
    'if rows:\n    print(1)',
    'except ValueError:\n    print(1)',
    'elif rows:\n    print(1)',
    'else:\n    print(1)',
    'try:\n    print(1)',
    'finally:\n    print(1)',
    'for bed in beds:\n    print(1)',
    'while rows:\n    print(1)',
    'async with rows:\n    print(1)',
    'try:\n    print(1)\nexcept ValueError:\n    print(2)\nfinally:\n    print(3)',
    'with open("a") as file:\n    print(1)',
    'while True:\n    print(1)\nelse:\n    print(2)',
    'for bed in beds:\n    if bed:\n        print(1)\nelif x:\n    pass',
    '# how many\n"""They are counted."""\nprint(1)',
  ])('takes %j for Python', (text) => {
    expect(codeLanguage(text)).toBe('python');
  });

  it.each([
    'let a = 1',
    'var a = 1',
    'export const a = 1',
    'function load() {\n  run();\n}',
    'export function load() {',
    'import load from "./load.js"',
    '// loads\n// them\nconst a = 1;',
  ])('takes %j for JavaScript', (text) => {
    expect(codeLanguage(text)).toBe('javascript');
  });

  it.each([
    'if you agree:',
    'Hello there.',
    'let a == b',
    'a == b',
    'total = 3\nThat is all.\nThanks.',
    '# Beds',
    '}',
    '',
  ])('takes %j for words', (text) => {
    expect(codeLanguage(text)).toBeUndefined();
  });
});

it.each([
  ['py', 'python'],
  ['Python3', 'python'],
  ['ipython', 'python'],
  ['js', 'javascript'],
  ['jsx', 'javascript'],
  ['ts', 'typescript'],
  ['tsx', 'typescript'],
  ['Rust', 'rust'],
  ['constructor', 'constructor'],
])('calls the language %s by its name', (name, language) => {
  expect(languageNamed(name)).toBe(language);
});
