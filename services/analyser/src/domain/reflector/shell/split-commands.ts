/** What stands before a program: a pipe, `&&`, `;`, or that another program runs it. */
export type Link = '' | '|' | '&&' | ';' | 'run';

interface SplitCommand {
  words: string[];
  link: Link;
}

/** Commands in the order in which they begin. What stands in `$(…)`, `<(…)` or back-ticks is one inside another, which goes on after it. */
export function splitCommands(text: string): SplitCommand[] {
  const commands: SplitCommand[] = [];
  const outer: { command: SplitCommand; quote: string; closedBy: string }[] = [];
  let current = begin('');
  let word = '';
  let quote = '';
  let started = false;

  function begin(link: Link): SplitCommand {
    const command: SplitCommand = { words: [], link };
    commands.push(command);
    return command;
  }
  const endWord = () => {
    if (started) current.words.push(word);
    word = '';
    started = false;
  };
  const endCommand = (link: Link) => {
    endWord();
    if (current.words.length > 0) current = begin(link);
    else current.link = link;
  };
  const enter = (closedBy: string) => {
    endWord();
    outer.push({ command: current, quote, closedBy });
    quote = '';
    current = begin('run');
  };
  const leave = () => {
    endWord();
    ({ command: current, quote } = outer.pop() ?? { command: current, quote });
  };

  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    const next = text.charAt(at + 1);
    if (quote === '"' && letter === '\\' && '"\\$`'.includes(next)) {
      word += next;
      at++;
    } else if (quote === "'" || (quote !== '' && letter !== '`' && !(letter === '$' && next === '('))) {
      if (letter === quote) quote = '';
      else word += letter;
    } else if (letter === '`') {
      if (outer.at(-1)?.closedBy === '`') leave();
      else enter('`');
    } else if (letter === '$' && text.startsWith('((', at + 1)) {
      // Arithmetic is a word, and runs nothing.
      const end = text.indexOf('))', at);
      const sum = text.slice(at, end < 0 ? undefined : end + 2);
      word += sum;
      started = true;
      at += sum.length - 1;
    } else if ('$<>'.includes(letter) && next === '(') {
      enter(')');
      at++;
    } else if (letter === "'" || letter === '"') {
      quote = letter;
      started = true;
    } else if (letter === '\\') {
      word += next;
      started = true;
      at++;
    } else if (letter === '|' || letter === '&') {
      if (letter === '&' && (text.charAt(at - 1) === '>' || next === '>')) continue;
      endCommand(letter === '|' && next !== '|' ? '|' : '&&');
      if (next === letter) at++;
    } else if (letter === ';' || letter === '\n') endCommand(';');
    else if (letter === ')' && outer.at(-1)?.closedBy === ')') leave();
    else if (letter === '(' || letter === ')') endCommand(';');
    else if (letter === ' ' || letter === '\t' || letter === '\r') endWord();
    else {
      word += letter;
      started = true;
    }
  }
  endWord();
  return commands.filter(({ words }) => words.length > 0);
}
