const literals = ['true', 'false', 'null'];
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const blanks = /[ \t\r\n]*/y;

/**
 * Where a text stops being JSON, as an index of its characters. The engine's own messages leave the place out for short texts
 * and word it differently from version to version.
 */
export function findJsonError(text: string): number {
  // What each open bracket is, and what may come next inside it.
  const open: ('{' | '[')[] = [];
  let at = skipBlanks(text, 0);
  let expects: 'value' | 'first' | 'key' | 'end' = 'value';
  for (;;) {
    const letter = text[at];
    if (expects === 'end') {
      const bracket = open.at(-1);
      if (bracket === undefined) return at;
      if (letter === ',') expects = bracket === '{' ? 'key' : 'value';
      else if (letter === (bracket === '{' ? '}' : ']')) open.pop();
      else return at;
      at = skipBlanks(text, at + 1);
    } else if (expects === 'first' && letter === (open.at(-1) === '{' ? '}' : ']')) {
      expects = 'end';
    } else if (expects === 'key' || (expects === 'first' && open.at(-1) === '{')) {
      const end = letter === '"' ? endOfString(text, at) : at;
      if (typeof end === 'object') return end.errorAt;
      const colon = skipBlanks(text, end);
      if (end === at || text[colon] !== ':') return end === at ? at : colon;
      at = skipBlanks(text, colon + 1);
      expects = 'value';
    } else if (letter === '{' || letter === '[') {
      open.push(letter);
      at = skipBlanks(text, at + 1);
      expects = 'first';
    } else {
      const end = endOfScalar(text, at);
      if (typeof end === 'object') return end.errorAt;
      at = skipBlanks(text, end);
      expects = 'end';
    }
  }
}

interface Broken {
  errorAt: number;
}

function skipBlanks(text: string, at: number): number {
  blanks.lastIndex = at;
  blanks.test(text);
  return blanks.lastIndex;
}

function endOfScalar(text: string, at: number): number | Broken {
  if (text[at] === '"') return endOfString(text, at);
  const literal = literals.find((one) => text.startsWith(one, at));
  if (literal) return at + literal.length;
  number.lastIndex = at;
  return number.test(text) ? number.lastIndex : { errorAt: at };
}

function endOfString(text: string, start: number): number | Broken {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return { errorAt: at };
    if (code === 0x5c) {
      const escaped = text[at + 1] ?? '';
      if (escaped === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))) at += 5;
      else if (escaped !== '' && '"\\/bfnrt'.includes(escaped)) at += 1;
      else return { errorAt: at };
    }
  }
  return { errorAt: start };
}
