const scanLimit = 3_000;
const call = /\b[a-z_][\w.]{2,40}(?=\()/gi;
const imported = /^(?:import|from) ([\w.]{1,40})/gm;
const everywhere = /^(?:print|len|str|int|range|if|for|while|return|def)$/;

/** The modules that a script imports and what it calls, each once. */
export function codeParts(text: string): string[] {
  const head = text.slice(0, scanLimit);
  const modules = [...head.matchAll(imported)].map(([, module = '']) => module);
  const calls = (head.match(call) ?? []).filter((name) => !everywhere.test(name));
  return [...new Set([...modules, ...calls])];
}
