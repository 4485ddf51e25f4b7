export const newline = 10;
export const space = 32;

export function isAsciiLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Letters of all other scripts, and whatever else they bring along. */
export function isForeign(code: number): boolean {
  return code > 0x7f && !isSpace(code);
}

export function isSpace(code: number): boolean {
  if (code <= space) return true;
  return code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200b) || code === 0x2028 || code === 0xfeff;
}

/** Full stop, question and exclamation mark. */
export function isStop(code: number): boolean {
  return code === 46 || code === 63 || code === 33;
}

/** The same of the scripts that put no space behind it. */
export function isWideStop(code: number): boolean {
  return code === 0x3002 || code === 0xff01 || code === 0xff1f;
}
