const scanLimit = 8_000;
const opening = /<<-?\s?(['"]?)([A-Za-z_]\w{0,30})\1([^\n]*)\n/;

/** A command with the texts that are handed to it taken out: `python3 - <<'PY'` and what follows up to `PY`. */
export interface WithoutHeredocs {
  command: string;
  texts: string[];
}

/** What stands between the marks is a file or a script, and no command of the shell. */
export function takeOutHeredocs(command: string): WithoutHeredocs {
  const texts: string[] = [];
  let left = command.slice(0, scanLimit);
  let taken = '';
  for (let open = opening.exec(left); open; open = opening.exec(left)) {
    const [mark, , word = '', rest = ''] = open;
    const body = left.slice(open.index + mark.length);
    const end = new RegExp(`^\\s*${word}\\s*$`, 'm').exec(body);
    texts.push(body.slice(0, end?.index));
    taken += `${left.slice(0, open.index)}${rest}\n`;
    left = end ? body.slice(end.index + end[0].length) : '';
  }
  return { command: taken + left, texts };
}
