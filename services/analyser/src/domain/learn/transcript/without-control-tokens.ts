/**
 * How chat templates mark turns and roles: `<|im_end|>`, `<｜User｜>`, `[INST]`, `<<SYS>>`, `<start_of_turn>`, `</s>`. Some
 * servers read these marks also where they stand in a text, and whoever writes the text then speaks for the system.
 */
const marks =
  /<[|｜][^<>|｜\n]{1,60}[|｜]>|\[\/?(?:INST|SYS|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]|<<\/?SYS>>|<\/?s>|<(?:start|end)_of_turn>|<\/?(?:bos|eos|pad|unk|think)>/gi;

/** The text with such marks spelled so that people recognise them and no server does. */
export function withoutControlTokens(text: string): string {
  return text.replace(marks, (mark) => `(${mark.replace(/[<>[\]|｜]/g, '')})`);
}
