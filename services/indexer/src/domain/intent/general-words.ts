/** From the root or from here (`/var/log/app.log`, `~/notes`, `./run.sh`), or several parts deep (`src/main/app.ts`). */
const rooted = String.raw`(?:~|\.{1,2})?\/[\w.@*+-]{1,100}(?:\/[\w.@*+-]{0,100}){0,40}`;
const deep = String.raw`[A-Za-z_.][\w.@*+-]{1,100}(?:\/[\w.@*+-]{1,100}){2,40}\/?`;
const file = String.raw`[A-Za-z_.][\w.@*+-]{1,100}\/[\w@*+-]{1,100}\.[a-z]\w{0,4}`;
const path = new RegExp(String.raw`(?<=^|[\s"'${'`'}(=,])(?:${rooted}|${deep}|${file})(?=$|[\s"'${'`'}),;:?!])`, 'g');
const extension = /\.([a-z]\w{0,4})$/i;
const quotedKind = /(["'`])((?:\w{1,5} file|directory))\1/g;

/**
 * A task in the words that it shares with others: where something lies is said as the kind of thing that lies there.
 * Two tasks on one file are otherwise nearer to each other than the same task on two files.
 */
export function inGeneralWords(task: string): string {
  return task.replace(path, kindOf).replace(quotedKind, '$2');
}

function kindOf(found: string): string {
  const [, type] = extension.exec(found) ?? [];
  return type === undefined ? 'directory' : `${type} file`;
}
