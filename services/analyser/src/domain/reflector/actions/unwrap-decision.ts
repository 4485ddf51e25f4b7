import type { Wrapping } from './action.js';
import { readTagged, withoutThought } from './tagged-action.js';

export interface Unwrapped {
  text: string;
  /** Of a fence: ```sql. */
  language?: string;
  wrapping?: Wrapping;
  /** `Action:` came with an `Action Input:`: name and argument of one tool call. */
  input?: string;
}

const executeWrapper = /^(?:execute|exec|run|bash|shell|terminal|sql|query|command)\s*\[/i;
const thoughtLine = /^[ \t]*(?:thought|thinking|reasoning|plan|reflection|observation)[ \t]?\d*[ \t]?:/i;
const actionLabel =
  /^[ \t]*(?:\*\*)?(?:next )?(?:action|command|cmd|sql query|query)[ \t]?\d*[ \t]?(?:\*\*)?:(?:\*\*)?[ \t]*/im;
const finalAnswer = /^[ \t]*final[ _]answer[ \t]?:[^\n]{1,300}$/im;
const inputLabel =
  /^[ \t]*(?:\*\*)?(?:action[ _]?input|arguments|input|args)[ \t]?\d*[ \t]?(?:\*\*)?:(?:\*\*)?[ \t]*/im;

/** What an agent that writes everything itself makes up to come after its action. */
const afterAction = /^[ \t]*(?:observation|thought)[ \t]?\d*[ \t]?:/im;

/** Takes thoughts, labels, tags, fences, `execute[…]`, prompts and back-ticks off a decision. */
export function unwrapDecision(decision: string): Unwrapped {
  const said = withoutThought(decision.trim());
  const tagged = readTagged(said);
  if (tagged) return tagged;
  const labelled = afterActionLabel(said);
  const fenced = insideFence(labelled.text);
  const bare = fenced ?? insideBackticks(labelled.text) ?? { text: labelled.text };
  const text = withoutPrompt(insideExecute(bare.text));
  return { ...bare, text, ...(labelled.input === undefined ? {} : { input: labelled.input }) };
}

function afterActionLabel(decision: string): { text: string; input?: string } {
  const end = finalAnswer.exec(decision);
  const label = actionLabel.exec(decision);
  if (end && !label) return { text: decision.slice(end.index).trim() };
  if (!label || (label.index > 0 && !thoughtLine.test(decision) && !decision.slice(0, label.index).endsWith('\n'))) {
    return { text: decision };
  }
  const [text = ''] = decision.slice(label.index + label[0].length).split(afterAction, 1);
  const input = inputLabel.exec(text);
  if (!input) return { text: text.trim() };
  return { text: text.slice(0, input.index).trim(), input: text.slice(input.index + input[0].length).trim() };
}

function insideFence(text: string): Unwrapped | undefined {
  const open = text.indexOf('```');
  if (open < 0) return undefined;
  const close = text.indexOf('```', open + 3);
  const inner = text.slice(open + 3, close < 0 ? undefined : close);
  if (inner.trim() === '') return undefined;
  const language = /^([A-Za-z+#]{1,12})\s*\n/.exec(inner) ?? /^(bash|sh|shell|sql|python|json)\s+/i.exec(inner);
  const code = language ? inner.slice(language[0].length) : inner;
  return {
    text: code.trim(),
    wrapping: open === 0 && close >= 0 && text.slice(close + 3).trim() === '' ? 'fence' : 'prose',
    ...(language?.[1] === undefined ? {} : { language: language[1].toLowerCase() }),
  };
}

function insideBackticks(text: string): Unwrapped | undefined {
  if (!text.startsWith('`') || !text.endsWith('`') || text.length < 3 || text.indexOf('`', 1) !== text.length - 1) {
    return undefined;
  }
  return { text: text.slice(1, -1).trim(), wrapping: 'backticks' };
}

function insideExecute(text: string): string {
  const wrapper = executeWrapper.exec(text);
  const end = text.lastIndexOf(']');
  return wrapper && end > wrapper[0].length ? text.slice(wrapper[0].length, end).trim() : text;
}

function withoutPrompt(text: string): string {
  return text.replace(/^(?:\$|>>>|sql>|mysql>|sqlite>) +/i, '');
}
