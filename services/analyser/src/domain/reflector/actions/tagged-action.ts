/** An action that stands between tags: what is executed, or the name of a tool with its arguments as JSON. */
export type TaggedAction = { text: string; language: string } | { text: string; input: string };

const thought = /^<(think|thinking|thought|reasoning|scratchpad|reflection)>/i;
const executed = /^[ \t]{0,8}<((?:execute_)?(?:bash|shell|ipython|python|sql))>/im;
const call = /^[ \t]{0,8}<(?:function=([\w.-]{1,80})|invoke name="([\w.-]{1,80})")>/im;
const parameter = /<parameter(?:=| name=")([\w.-]{1,60})"?>/g;
const mostParameters = 24;

/** A decision without what the agent thought aloud before it. */
export function withoutThought(decision: string): string {
  const tag = thought.exec(decision)?.[1];
  if (tag === undefined) return decision;
  const end = decision.indexOf(`</${tag}>`);
  return end < 0 ? decision : decision.slice(end + tag.length + 3).trim();
}

/** Reads `<execute_bash>ls</execute_bash>`, `<function=edit><parameter=path>a.txt</parameter></function>` and their like. */
export function readTagged(decision: string): TaggedAction | undefined {
  const called = call.exec(decision);
  const name = called?.[1] ?? called?.[2];
  if (called && name !== undefined) {
    return { text: name, input: JSON.stringify(parametersIn(decision.slice(called.index + called[0].length))) };
  }
  const open = executed.exec(decision);
  const tag = open?.[1];
  if (!open || tag === undefined) return undefined;
  const inside = decision
    .slice(open.index + open[0].length)
    .split(`</${tag}>`, 1)
    .join('')
    .trim();
  return inside === ''
    ? undefined
    : { text: inside, language: tag.toLowerCase().replace(/^(?:execute_)?i?(?=python)|^execute_/, '') };
}

function parametersIn(text: string): Record<string, string> {
  const own = text.split(/<\/(?:function|invoke)>/, 1).join('');
  const values: [string, string][] = [];
  for (const { 0: tag, 1: name = '', index } of own.matchAll(parameter)) {
    if (values.length === mostParameters) break;
    const value = own.slice(index + tag.length);
    const end = value.indexOf('</parameter>');
    values.push([name, (end < 0 ? value : value.slice(0, end)).trim()]);
  }
  return Object.fromEntries(values);
}
