const copulas = new Set('is was are ist war lautet est es era é è jest -> →'.split(' '));
const mostBetween = 4;

/**
 * Reads over "… of bob is", in several languages: a few words, and one that says that the value follows. A colon says so more
 * surely: "… is generated for bob@db:".
 */
export function endOfCopula(text: string, nameStart: number, nameEnd: number): number | undefined {
  let at = nameEnd;
  let copulaEnd: number | undefined;
  for (let words = 0; words <= mostBetween; words += 1) {
    const start = at + 1;
    // The same name again has its own say.
    if (isSame(text, start, nameStart, nameEnd)) break;
    at = start;
    while (between[text.charCodeAt(at)] === 1) at += 1;
    const isColon = text.charCodeAt(at) === 58;
    const next = text.charCodeAt(isColon ? at + 1 : at);
    if (at === start || at - start > 20) break;
    if (isColon && (next === 10 || next === 13 || next === 92)) return at + 1;
    if (next !== 32) break;
    if (isColon) return at + 2;
    if (at - start <= 6 && isCopula(text, start, at)) copulaEnd ??= at + 1;
  }
  return copulaEnd;
}

function isSame(text: string, start: number, nameStart: number, nameEnd: number): boolean {
  const offset = start - nameStart;
  for (let at = nameStart; at < nameEnd; at += 1) {
    if (text.charCodeAt(at) !== text.charCodeAt(at + offset)) return false;
  }
  return true;
}

const beginsCopula = new Uint8Array(65_536);
for (const copula of copulas) beginsCopula[copula.charCodeAt(0)] = 1;

function isCopula(text: string, start: number, end: number): boolean {
  return beginsCopula[text.charCodeAt(start)] === 1 && copulas.has(text.slice(start, end));
}

/** Letters, digits, and the signs in words and arrows. */
const between = new Uint8Array(65_536);
between.fill(1, 48, 58).fill(1, 65, 91).fill(1, 97, 123).fill(1, 0xc0, 0x2000);
for (const letter of "-'>@\u2019\u2192") between[letter.charCodeAt(0)] = 1;
