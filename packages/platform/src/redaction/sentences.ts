const copulas = new Set('is was are ist war lautet est es era é è jest -> →'.split(' '));
const mostBetween = 4;

/**
 * Reads over "… of bob is", in several languages: a few words, and one that says that the value follows. A colon says so more
 * surely: "… is generated for bob@db:".
 */
export function endOfCopula(text: string, nameEnd: number): number | undefined {
  let at = nameEnd;
  let copulaEnd: number | undefined;
  for (let words = 0; words <= mostBetween; words += 1) {
    const start = at + 1;
    at = start;
    while (isBetween(text.charCodeAt(at))) at += 1;
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

const firstOfCopulas = new Set([...copulas].map((copula) => copula.charCodeAt(0)));

function isCopula(text: string, start: number, end: number): boolean {
  return firstOfCopulas.has(text.charCodeAt(start)) && copulas.has(text.slice(start, end));
}

/** Letters, digits, and the signs in words and arrows. */
function isBetween(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || isRareBetween(code);
}

function isRareBetween(code: number): boolean {
  return (
    code === 45 ||
    code === 39 ||
    code === 62 ||
    code === 64 ||
    code === 0x2019 ||
    code === 0x2192 ||
    (code >= 0xc0 && code < 0x2000)
  );
}
