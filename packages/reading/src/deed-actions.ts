import type { Action, ActionKind, Arguments, Literal } from './action.js';
import { contentOf, roleOf } from './call-names.js';
import { type Call, type Carried, type Deed, writeForm } from './calls.js';
import { codeLanguage } from './code.js';
import { editOf, patchIn, readEdits } from './edits.js';
import { executedIn } from './executed.js';
import { requestCall, requestOf } from './http.js';
import { readShell } from './shell.js';
import { readSql } from './sql.js';

export function plainAction(kind: ActionKind, text: string): Action {
  return { kind, verb: kind, text };
}

/** What is too long or too deep to be looked at: a script of which nothing is known. */
export function unreadable(text: string): Action {
  return { kind: 'code', verb: 'unreadable', text };
}

export function commandAction(text: string): Action {
  const program = readShell(text)?.[0]?.program ?? '';
  return { kind: 'command', verb: program === '' ? (/^\S+/.exec(text)?.[0] ?? 'shell') : program, text };
}

export function sqlAction(text: string): Action {
  const statement = readSql(text)?.[0];
  const table = statement?.tables[0];
  const verb = statement?.verb ?? /\p{L}+/u.exec(text.slice(0, 200))?.[0] ?? 'sql';
  return {
    kind: 'sql',
    verb: verb.toLowerCase(),
    ...(table === undefined ? {} : { object: table }),
    text,
  };
}

export function codeAction(text: string, language: string = codeLanguage(text) ?? 'python'): Action {
  return { kind: 'code', verb: language, text };
}

export function finishAction(verb: string, args: Arguments, text: string): Action {
  const answer = contentOf(args);
  const { 0: _, ...named } = args;
  const kept: Arguments = answer === undefined ? args : { ...named, answer };
  return { kind: 'finish', verb, ...(Object.keys(kept).length === 0 ? {} : { args: kept }), text };
}

/** A command, or the patch that it applies. */
export function executedAction(kind: 'command' | 'sql' | 'code', text: string): Action[] {
  if (kind === 'sql') return [sqlAction(text)];
  if (kind === 'code') return [codeAction(text)];
  const patch = readEdits(text);
  return patch && patch.rest === '' ? patch.edits : [commandAction(text)];
}

/** The actions that deeds are; `read` reads a text that was only carried. `value` and `source`: what they were found in. */
export function actionsOfDeeds(
  deeds: readonly Deed[],
  read: (text: string) => Action[],
  found?: { value: Literal; source: string },
): Action[] {
  return deeds.flatMap((deed) => {
    if (!('verb' in deed)) return actionsOfText(deed, read);
    const isWhole = deeds.length === 1 && deed.form === found?.value;
    return actionsOfCall(deed, isWhole ? found.source : writeForm(deed.form));
  });
}

function actionsOfText({ text, as }: Carried, read: (text: string) => Action[]): Action[] {
  const said = text.trim();
  if (said === '') return [];
  if (as === 'command' || as === 'sql' || as === 'code') return executedAction(as, said);
  if (as === 'finish') return [finishAction('finish', { answer: said }, said)];
  return as === undefined ? read(said) : [plainAction(as, said)];
}

/** A call by what it does: executes, asks over the network, changes a file, says, thinks, ends; else it is a call. */
export function actionsOfCall({ verb, args }: Pick<Call, 'verb' | 'args'>, text: string): Action[] {
  const role = roleOf(verb, args);
  if (role === 'finish') return [finishAction(verb, args, text)];
  const content = role === undefined ? undefined : contentOf(args);
  if (role === 'think') return [{ ...plainAction('think', text), text: typeof content === 'string' ? content : text }];
  if (role === 'reply' && typeof content === 'string') return [plainAction('reply', content)];
  const patch = patchIn(verb, args);
  const edits = patch === undefined ? undefined : readEdits(patch.trim())?.edits;
  if (edits) return edits;
  const executed = executedIn(verb, args);
  if (executed) return executedAction(executed.kind, executed.text);
  const done = requestOf(args) ?? requestCall(verb, args) ?? editOf(verb, args);
  return [done ? { ...done, text } : { kind: 'call', verb, args, text }];
}
