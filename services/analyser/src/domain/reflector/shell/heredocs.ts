const scanLimit = 8_000;
/** No third `<`: that hands over a word and no lines. */
const opening = /(?<!<)<<-?\s?(['"]?)([A-Za-z_]\w{0,30})\1/;

/** A command with the texts that are handed to it taken out: `python3 - <<'PY'` and what follows up to `PY`. */
export interface WithoutHeredocs {
  command: string;
  texts: string[];
}

/** What stands between the marks is a file or a script, and no command of the shell. Goes through the lines once. */
export function takeOutHeredocs(command: string): WithoutHeredocs {
  const kept: string[] = [];
  const texts: string[] = [];
  let inside: { mark: string; lines: string[] } | undefined;
  const lines = command.slice(0, scanLimit).split('\n');
  for (const [at, line] of lines.entries()) {
    const mayOpen = !inside && at < lines.length - 1 && line.includes('<<');
    const opened = mayOpen ? opening.exec(line) : undefined;
    if (inside && line.trim() !== inside.mark) inside.lines.push(line);
    else if (inside) {
      texts.push(inside.lines.join('\n'));
      inside = undefined;
    } else if (opened) {
      kept.push(line.replace(opening, ''));
      inside = { mark: opened[2] ?? '', lines: [] };
    } else kept.push(line);
  }
  if (inside) texts.push(inside.lines.join('\n'));
  return { command: kept.join('\n'), texts };
}
