/** Of English about four characters are a token, of code and JSON about three, of other scripts about one. */
const asciiPerToken = 3;

/** How many tokens a text is for most models, rather too many than too few. */
export function estimateTokens(text: string): number {
  let ascii = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 128) ascii++;
  return Math.ceil(ascii / asciiPerToken) + text.length - ascii;
}
