import type { Action } from './action.js';
import { readSqlVerb } from './sql-statement.js';

const shellTool =
  /^(?:(?:run|exec|execute|bash|shell|sh|terminal|cmd|console)(?:[_-]?(?:bash|shell|command|cmd|terminal|in[_-]?terminal|terminal[_-]?cmd|tool|script))?|command)$/i;
const sqlTool = /sql|query|database|db/i;
const codeTool =
  /^(?:execute|run|exec)?[_-]?(?:i?python|python3?|code|code[_-]?interpreter|javascript|node|jupyter)(?:[_-]?(?:code|tool|repl|cell|interpreter))?$/i;
const textArguments = ['command', 'cmd', 'script', 'sql', 'query', 'statement', 'code', 'input', 'argument'];

/**
 * What a tool was given to execute: `bash({"command": "ls"})` is the command, `run_sql({"query": "…"})` the query. The
 * same deed reads the same, whatever tool an agent reaches its shell or database through.
 */
export function executedBy({
  name,
  args,
}: Action): { kind: 'shell' | 'sql' | 'code'; text: string; name: string } | undefined {
  const key = textArguments.find((candidate) => candidate in args);
  const text = key === undefined ? undefined : args[key];
  if (text === undefined || text === '' || text.endsWith('…')) return undefined;
  const verb = sqlTool.test(name) || shellTool.test(name) ? readSqlVerb(text) : undefined;
  if (verb !== undefined) return { kind: 'sql', text, name: verb };
  if (shellTool.test(name)) return { kind: 'shell', text, name: '' };
  return codeTool.test(name) ? { kind: 'code', text, name: 'python' } : undefined;
}

const speakingTool =
  /^(?:respond|reply|say|speak)$|^(?:respond|reply|say|speak|talk|ask|tell|answer|message|send[_-]?message)(?:[_-]?to)?[_-]?(?:the[_-])?(?:user|customer|human)$/i;
const spokenArguments = ['content', 'message', 'text', 'response', 'question', 'answer', 'reply'];

/** What an agent that can do nothing but call tools says to a person: `respond({"content": "…"})`. */
export function spokenBy({ name, args }: Action): string | undefined {
  if (!speakingTool.test(name)) return undefined;
  const key = spokenArguments.find((candidate) => (args[candidate] ?? '') !== '');
  return key === undefined ? undefined : args[key];
}
