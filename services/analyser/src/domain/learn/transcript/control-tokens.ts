/**
 * How chat templates mark turns and roles: `<|im_end|>`, `<｜User｜>`, `[INST]`, `<<SYS>>`, `<start_of_turn>`, `</s>`. Some
 * servers read these marks also where they stand in a text, and whoever writes the text then speaks for the system.
 */
const tag = /<[|｜]([^\s<>|｜]{1,60})[|｜]>|<{1,2}(\/?\w{1,20})>{1,2}|\[(\/?\w{1,20})\]/g;
const names = new Set(
  'inst sys available_tools tool_calls tool_results s system assistant start_of_turn end_of_turn bos eos pad unk think'.split(
    ' ',
  ),
);

/** The text with such marks spelled so that people recognise them and no server does. */
export function withoutControlTokens(text: string): string {
  return text.replace(tag, (whole, special?: string, angled?: string, bracketed?: string) => {
    const name = special ?? angled ?? bracketed ?? '';
    return special !== undefined || names.has(name.replace('/', '').toLowerCase()) ? `(${name})` : whole;
  });
}
