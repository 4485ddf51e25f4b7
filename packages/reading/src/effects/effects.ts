import { type Effect, effects as order } from '@whetstone/contracts/messages';
import type { Action, Arguments } from '../actions/action.js';
import { operationIn, wordsOf } from '../actions/call-names.js';
import { executedIn } from '../actions/executed.js';
import { type GraphqlDocument, graphqlIn } from '../actions/graphql.js';
import { normalForm } from '../actions/normal-form.js';
import { readExample } from '../actions/read-actions.js';
import { changingWords, destroyingWords } from '../shell/known-programs.js';
import { isElsewhere, isRightsFile, isStartup } from '../shell/operand-classes.js';
import { codeEffects } from './code-effects.js';
import { createFindings, type Findings, type FindingsBuilder } from './effect-table.js';
import { shellEffects } from './shell-effects.js';
import { statementEffects } from './statement-effects.js';

/** Limits on texts that execute other texts: nesting depth and total count. */
const deepest = 5;
const mostTexts = 200;

const readers = { command: shellEffects, sql: statementEffects, code: codeEffects };

/**
 * Effects of an action beyond reading, in the order of the contracts. Programs, scripts and tools that nobody knows count as
 * changes.
 */
export function effectsOf(action: Action): Effect[] {
  return effectsIn(action);
}

/** The same without what nobody knows. */
export function knownEffectsOf(action: Action): Effect[] {
  return effectsIn(action, 'known');
}

function effectsIn(action: Action, only?: 'known'): Effect[] {
  const effects = new Set<Effect>();
  let waiting: Findings[] = [findingsOf(action, only)];
  let read = 0;
  for (let depth = 0; waiting.length > 0; depth++) {
    const next: Findings[] = [];
    for (const { effects: seen, executed } of waiting) {
      for (const effect of seen) effects.add(effect);
      for (const { kind, text } of executed) {
        read += 1;
        if (depth >= deepest || read > mostTexts) effects.add('unreadable');
        else next.push(readers[kind](text, only));
      }
    }
    waiting = next;
  }
  return order.filter((effect) => effects.has(effect));
}

function findingsOf(action: Action, only: 'known' | undefined): Findings {
  if (action.kind === 'code' && action.verb === 'unreadable') return { effects: new Set(['unreadable']), executed: [] };
  switch (action.kind) {
    case 'command':
    case 'sql':
    case 'code':
      return readers[action.kind](action.text, only);
    case 'call':
      return callEffects(action, only);
    case 'http':
      return requestEffects(action, only);
    case 'edit':
      return editEffects(action);
    default:
      return { effects: new Set(), executed: [] };
  }
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** By method. The last word of the path can mark a POST as a read (`/search`) or as a deletion. */
function requestEffects({ verb, object = '', args = {} }: Action, only: 'known' | undefined): Findings {
  const findings = createFindings();
  if (object.includes('://') && isElsewhere(object)) findings.add('connects');
  const method = verb.toUpperCase();
  const [path = ''] = object.split(/[?#]/, 1);
  const last = path.slice(path.lastIndexOf('/') + 1);
  const document = graphqlIn(args);
  const said = document ? effectOfDocument(document) : effectOfName(last);
  const reads = readingMethods.has(method) ? said !== 'destroys' : method === 'POST' && said === 'looks';
  if (reads || (only && method === 'POST' && said === 'changes' && !document)) return findings;
  findings.add(method === 'DELETE' || said === 'destroys' ? 'destroys' : 'changes');
  if (method === 'DELETE' && (last === '*' || last === '_all')) findings.add('destroys_all');
  return findings;
}

/** By the text it executes, if any; otherwise by its name, and by the operation that it is given. */
function callEffects({ verb, args = {} }: Action, only: 'known' | undefined): Findings {
  const findings = createFindings();
  const executed = executedIn(verb, args);
  const document = graphqlIn(args);
  const names = [verb, operationIn(args) ?? ''].filter((name) => name !== document?.fields[0]);
  const destroys = names.some((name) => effectOfName(name) === 'destroys');
  const said = destroys ? 'destroys' : document ? effectOfDocument(document) : effectOfName(verb);
  const isUnknown = said === 'changes' && !document && !changingWords.has(wordsOf(verb)[0] ?? '');
  if (executed) findings.executed.push(executed);
  else if (said !== 'looks' && !(only && isUnknown)) addWrite(said, pathIn(args), findings);
  return findings;
}

function effectOfDocument({ isMutation, fields }: GraphqlDocument): 'looks' | 'destroys' | 'changes' {
  if (!isMutation) return 'looks';
  return fields.some((field) => effectOfName(field) === 'destroys') ? 'destroys' : 'changes';
}

function editEffects({ verb, object = '' }: Action): Findings {
  const findings = createFindings();
  addWrite(effectOfName(verb) === 'destroys' ? 'destroys' : 'changes', object, findings);
  return findings;
}

function addWrite(effect: Effect, path: string, findings: FindingsBuilder): void {
  findings.add(effect);
  if (isStartup(path)) findings.add('persists');
  if (isRightsFile(path)) findings.add('widens_rights');
}

function pathIn(args: Arguments): string {
  const values = ['path', 'file_path', 'file', 'filename', 'target_file'].map((name) => args[name]);
  return values.find((value) => typeof value === 'string') ?? '';
}

/** First words of tools that only read, ask or compute. */
const lookupVerbs = new Set(
  (
    'get list search find read lookup look check calculate calc compute think query fetch show view describe count retrieve browse ' +
    'verify validate compare analyze analyse summarize explain inspect observe examine scroll hover wait screenshot goto go navigate ' +
    'back forward visit open preview detect estimate evaluate extract parse load ask help status is has can test plan reason recall ' +
    'note finish done answer translate classify rank filter sort glob grep ls cat tree diff inventory zoom'
  ).split(' '),
);

/**
 * By the first word of a name, else by the last: `cancel_order`, `mcp__shop__list_orders`, `orders.delete`, `flight_search`;
 * and by what follows `and`: `find_and_delete`.
 */
export function effectOfName(name: string): 'looks' | 'destroys' | 'changes' {
  const parts = name.slice(0, 200).split(/[.:/]|__/);
  const words = wordsOf(parts.findLast((part) => part !== '') ?? '');
  if (words.some((word, at) => words[at - 1] === 'and' && destroyingWords.has(word))) return 'destroys';
  for (const word of [words[0] ?? '', words.at(-1) ?? '']) {
    if (lookupVerbs.has(word)) return 'looks';
    if (destroyingWords.has(word)) return 'destroys';
  }
  return 'changes';
}

/** Distinct actions of an example in normal form, and their distinct effects. */
export function exampleActions(example: string): { actions: string[]; effects: Effect[] } {
  const actions = readExample(example);
  return {
    actions: [...new Set(actions.map(normalForm))],
    effects: [...new Set(actions.flatMap(effectsOf))],
  };
}
