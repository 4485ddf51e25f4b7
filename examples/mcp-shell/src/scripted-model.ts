/**
 * In place of a model, so that the example needs no key: it knows two commands, and no other is ever run. It begins with the one that was
 * recommended; otherwise it first forgets that the file is compressed.
 */
export function nextCommand(task: string, advice: string, tried: number): string {
  const [file = ''] = /\w+\.log\.gz/.exec(task) ?? [];
  const commands = [`grep -c ERROR ${file}`, `gunzip -c ${file} | grep -c ERROR`];
  const recommended = commands.findIndex((command) => advice.includes(command));
  return commands[(Math.max(recommended, 0) + tried) % commands.length] as string;
}
