/** What stands between the name of a form field and the text that is typed into it, as browsers are driven. */

/** The end of a selector or label, and the next argument: `fill('input[name="password"]', '…')`. */
const nextArgument = /(?:(?:\\{0,7}["'])?\]\\{0,7}["']|\\{0,7}["'])?,[ \t]{0,4}(?=\\{0,7}["'])/y;
/** The end of a selector or label, and a call that types: `locator('#password').fill('…')`. */
const typingCall =
  /\\{0,7}["'`]?\]?\\{0,7}["'`]?\s?\)(?:\.(?:first|nth|last|clear)\(\d{0,3}\))?\.(?:fill|type|send_?keys|press_?sequentially|set_?value|clear_?and_?type|val)\(\s{0,8}(?=\\{0,7}["'`])/iy;
/** The other members of a tool call: `"element": "Password field", "ref": "e12", "text": "…"`. */
const typedText =
  /(?: (?:field|input|box|textbox|entry))?(\\{0,7}["']),\s{0,16}(?:\1\w{1,20}\1[ \t]{0,4}:[ \t]{0,4}\1[^"'\\\r\n]{0,40}\1,\s{0,16}){0,3}\1(?:text|value|content|input)\1[ \t]{0,4}:[ \t]{0,4}(?=\1)/iy;

/** Where the text begins that a call types into the field whose name ends at `nameEnd`. */
export function typedByCall(text: string, nameEnd: number): number | undefined {
  return end(typingCall, text, nameEnd);
}

/** Where the text begins that a tool call has for the field whose name ends at `nameEnd`. Descriptions of pages look the same. */
export function typedByTool(text: string, nameEnd: number): number | undefined {
  // Of the words that may follow, and of no other, the first letter is one of these.
  if (text.charCodeAt(nameEnd) === 32 && !'fibteFIBTE'.includes(text.charAt(nameEnd + 1))) return undefined;
  return end(typedText, text, nameEnd);
}

/** Where the argument after a selector or a name in quotes begins. Lists of names look the same. */
export function argumentAfter(text: string, nameEnd: number): number | undefined {
  return end(nextArgument, text, nameEnd);
}

function end(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
