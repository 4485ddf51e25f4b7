/** White space is collapsed: a long command may be shown on several lines. */
export function plainSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const opens = /[\s"'`“‘([{:=]/;
const closes = /[\s"'`”’)\]}.,;:]/;

/**
 * Whether a text shows an action: word for word, in the same case, as a whole. `ls -l` is not shown by `ls -la`, nor by
 * `/bin/ls -l`, but by `ls -l | wc -l`, since a text may go on after an action and one cannot tell.
 */
export function containsAction(text: string, action: string): boolean {
  const haystack = plainSpaces(text);
  const needle = plainSpaces(action);
  if (needle === '') return false;
  for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + 1)) {
    const before = haystack[at - 1];
    const after = haystack[at + needle.length];
    if ((before === undefined || opens.test(before)) && (after === undefined || closes.test(after))) return true;
  }
  return false;
}

const sqlStart = /^\s*(?:with|select|insert|update|delete|create|alter|drop|explain)\b/i;
const sqlWords =
  /\b(?:select|distinct|from|(?:left |right |full |inner |cross )?(?:outer )?join|where|group by|having|order by|limit|union|with|over|partition by|insert into|update|delete from|create \w+|alter table|count|sum|avg|min|max|coalesce|case|exists|in|between|like|date_trunc|extract|strftime|cast)\b/gi;
const toolCall = /^\s*([A-Za-z_][\w.]*)\s*\(/;
/** Programs that run the program in the next word. */
const carriers = new Set(['sudo', 'env', 'time', 'nohup', 'nice', 'xargs', 'command', 'exec']);
/** Shell keywords followed by a program. */
const keywords = new Set(['then', 'do', 'else', 'if', 'elif', 'while', 'until', '!', '{']);
/** Shell keywords not followed by a program. */
const headings = new Set(['for', 'case', 'done', 'fi', 'esac', '}', 'function']);

/**
 * The set of tools that an action uses: the programs of a shell command, those behind `xargs`, `-exec` and in `$(…)` too; the
 * name of a tool call; the clauses and functions of an SQL statement.
 */
export function utilitiesOf(action: string): Set<string> {
  if (sqlStart.test(action)) return new Set([...action.matchAll(sqlWords)].map(([word]) => word.toLowerCase()));
  const call = toolCall.exec(action);
  if (call) return new Set([call[1] as string]);
  return programsOf(action);
}

function programsOf(command: string): Set<string> {
  const programs = new Set<string>();
  // Quoted text is data, except commands inside `$(…)`.
  const bare = command.replace(/'[^']*'/g, "''").replace(/"[^"$`]*"/g, '""');
  for (const part of bare.split(/\|\|?|&&?|;|\n|\$\(|`|<\(|\(|\)|-(?:exec|execdir|ok)\b/)) {
    const words = part.trim().split(/\s+/);
    let expected = true;
    for (const word of words) {
      if (!expected) break;
      if (word === '' || /^[A-Za-z_]\w*=/.test(word) || keywords.has(word)) continue;
      if (headings.has(word)) break;
      // Options of the wrapper and their numbers: `xargs -0 -n 1 rm`.
      if (/^-|^[\d{}\\]/.test(word)) continue;
      const name = word.replace(/^.*\//, '').replace(/^\W+|[^\w+.-]+$/g, '');
      if (!/^[A-Za-z_[]/.test(name)) break;
      programs.add(name);
      expected = carriers.has(name);
    }
  }
  return programs;
}

/** Jaccard similarity. */
export function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((item) => other.has(item)).length;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** Two actions share at least half of their tools. */
export function usesSimilarTools(one: string, other: string): boolean {
  return jaccard(utilitiesOf(one), utilitiesOf(other)) >= 0.5;
}
