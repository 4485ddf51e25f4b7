import { print } from 'unbash/printer';
import { parseShell, readShell } from './shell-reader.js';
import { type ShellCommand, type ShellWord, splitOption, splitsOptions, takesValue } from './shell-words.js';

/** A script in one spelling: options split and sorted, quotes only where they are needed, pipes and branches as they are. */
export function shellForm(text: string): string | undefined {
  const printed = printShell(text);
  const commands = printed === undefined ? undefined : readShell(printed);
  if (printed === undefined || commands === undefined) return undefined;
  let form = '';
  let at = 0;
  // Commands inside of others' words come behind them and are part of their text.
  for (const command of commands) {
    if (command.span === undefined || command.span.start < at || command.inner) continue;
    form += `${printed.slice(at, command.span.start)}${commandForm(command, printed)}`;
    at = command.span.end;
  }
  return `${form}${printed.slice(at)}`.trim();
}

/** Layout and comments in one way. */
function printShell(text: string): string | undefined {
  const script = parseShell(text);
  if (script === undefined) return undefined;
  try {
    return print(script);
  } catch {
    return undefined;
  }
}

function commandForm(command: ShellCommand, source: string): string {
  const { words, before, redirects, assigns, program, unreadable, span } = command;
  if (words.length === 0 || unreadable) return source.slice(span?.start, span?.end);
  // What `env` sets stands among the words before.
  const set = before.length > 0 ? assigns.filter((assign) => !before.some(({ text }) => text === assign)) : assigns;
  const parts = [...set, ...before.map(formOf), program, ...argumentForms(program, words.slice(1))];
  for (const { operator, target } of redirects) {
    // The text of a here-document follows by itself.
    parts.push(/^\d*<<-?$/.test(operator) ? operator : `${operator}${wordForm(target)}`);
  }
  return parts.join(' ');
}

/**
 * Flags come first and sorted, known ones with their value. Where operands stand between flags of an unknown program they could be
 * the values of these: all stay in their order.
 */
function argumentForms(program: string, words: readonly ShellWord[]): string[] {
  if (!splitsOptions(program))
    return words.map((word) => (word.value === undefined ? formOf(word) : wordForm(word.value)));
  const flags: string[] = [];
  const rest: string[] = [];
  const inOrder: string[] = [];
  let groups = 0;
  let inGroup = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as ShellWord;
    const text = word.value ?? word.text;
    const isFlag = /^-{1,2}[A-Za-z]/.test(text);
    if (text === '--') {
      const tail = words.slice(at).map(formOf);
      rest.push(...tail);
      inOrder.push(...tail);
      break;
    }
    if (!isFlag) {
      rest.push(formOf(word));
      inOrder.push(formOf(word));
      inGroup = false;
      continue;
    }
    const names = flagForms(word, text);
    const last = names.at(-1) ?? '';
    const next = words[at + 1];
    if (next !== undefined && takesValue(program, last)) {
      names[names.length - 1] = `${last} ${formOf(next)}`;
      at += 1;
    } else if (!inGroup) {
      groups += 1;
      inGroup = true;
    }
    flags.push(...names);
    inOrder.push(...names);
  }
  return groups > 1 ? inOrder : [...flags.sort(), ...rest];
}

/** `-n5` is `-n 5`, and `-rf` is `-f -r`. */
function flagForms(word: ShellWord, text: string): string[] {
  if (text.includes('=')) return [formOf(word)];
  const names = splitOption(text);
  const [only = ''] = names;
  return names.length === 1 && only.length === 2 && text.length > 2
    ? [`${only} ${text.slice(2)}`]
    : [...new Set(names)];
}

function formOf(word: ShellWord): string {
  if (word.value === undefined) return word.text.replace(/^"(.*)"$/s, '$1').replace(/\$\{(\w{1,60})\}/g, '$$$1');
  // A wildcard that the shell opens is another thing than one in quotes.
  const opens = !/["'\\]/.test(word.text) && /[*?[{]/.test(word.text);
  return opens ? word.value.replace(/^\.\/(?=.)/, '') : wordForm(word.value);
}

/** A word in single quotes where the shell would read more into it than itself. */
function wordForm(value: string): string {
  const bare = value.replace(/^\.\/(?=.)/, '');
  return /^[\w@%+=:,./~-]+$/.test(bare) ? bare : `'${bare.replaceAll("'", `'\\''`)}'`;
}
