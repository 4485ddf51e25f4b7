const scanLimit = 3_000;
const call = /\b[a-z_][\w.]{2,40}(?=\()/gi;
const imported = /^(?:import|from) ([\w.]{1,40})/gm;
const defined = /^[ \t]{0,8}(?:async )?(?:def|class|function|func|fn) ([A-Za-z_]\w{0,60})/gm;
const everywhere = /^(?:print|len|str|int|range|if|for|while|return|def)$/;

/** The modules that a script imports and what it calls, each once; not what it defines itself. */
export function codeParts(text: string): string[] {
  const head = text.slice(0, scanLimit);
  const modules = [...head.matchAll(imported)].map(([, module = '']) => module);
  const own = namesDefinedIn(head);
  const calls = (head.match(call) ?? []).filter((name) => !everywhere.test(name) && !own.has(name));
  return [...new Set([...modules, ...calls])];
}

/** The functions and classes of a script. */
export function namesDefinedIn(text: string): Set<string> {
  return new Set([...text.slice(0, scanLimit).matchAll(defined)].map(([, name = '']) => name));
}
