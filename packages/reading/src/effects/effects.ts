import { type Effect, effects as order } from '@whetstone/contracts/messages';
import type { Action, Arguments, Literal } from '../actions/action.js';
import { lastWordsOf, operationIn, wordsOf } from '../actions/call-names.js';
import { executedIn } from '../actions/executed.js';
import { type GraphqlDocument, graphqlIn } from '../actions/graphql.js';
import { normalForm } from '../actions/normal-form.js';
import { readExample } from '../actions/read-actions.js';
import { changingWords, destroyingWords } from '../shell/known-programs.js';
import { isElsewhere, isRightsFile, isStartup } from '../shell/operand-classes.js';
import { cmdletEffects, usesCmdlets } from './cmdlet-effects.js';
import { codeEffects, codeTextEffects } from './code-effects.js';
import { createFindings, type Findings, type FindingsBuilder } from './effect-table.js';
import { laterEffects, shellEffects } from './shell-effects.js';
import { statementEffects } from './statement-effects.js';
import { addedBy, isConfiguration, isProse, textsIn } from './written-texts.js';

/** Limits on texts that execute other texts: nesting depth and total count. */
const deepest = 5;
const mostTexts = 200;

const readers = { command: commandEffects, sql: statementEffects, code: codeEffects };

/**
 * Effects of an action beyond reading, in the order of the contracts. Programs, scripts and tools that nobody knows count as
 * changes.
 */
export const effectsOf = memoized((action) => effectsIn(action));

/** The same without what nobody knows. */
export const knownEffectsOf = memoized((action) => effectsIn(action, 'known'));

/** By action: examples are parsed once, and judged at every question. */
function memoized(read: (action: Action) => readonly Effect[]): typeof read {
  const known = new WeakMap<Action, readonly Effect[]>();
  return (action) => {
    const effects = known.get(action) ?? read(action);
    known.set(action, effects);
    return effects;
  };
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
    case 'reply':
      return { effects: isConfiguration(action.text) ? codeTextEffects(action.text) : new Set(), executed: [] };
    default:
      return { effects: new Set(), executed: [] };
  }
}

function commandEffects(text: string, only: 'known' | undefined): Findings {
  if (!usesCmdlets(text)) return shellEffects(text, only);
  const { effects, executed } = shellEffects(text, 'known');
  return { effects: new Set([...effects, ...cmdletEffects(text)]), executed };
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
  addNamed(last, findings);
  addGiven(method === 'POST' ? 'create' : '', args, findings);
  for (const field of document?.fields ?? []) addNamed(field, findings);
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
  const isUnknown = said === 'changes' && !document && !lastWordsOf(verb).some((word) => changingWords.has(word));
  if (executed) findings.executed.push(executed);
  else if (said !== 'looks' && !(only && isUnknown)) addWrite(said, pathIn(args), findings);
  if (said !== 'looks' && !isUnknown && hasUrlElsewhere(args)) findings.add('connects');
  if (!executed) addSet(args, said === 'looks', findings);
  if (said !== 'looks' && !creates(verb) && skipsGuard(names, args)) findings.add('disables_safeguard');
  if (loaders.has(verb) && /^https?:/i.test(String(args['0'] ?? ''))) findings.add('runs_fetched');
  if (said !== 'looks') addGiven(verb, args, findings);
  for (const field of document?.isMutation ? document.fields : []) addNamed(field, findings);
  for (const name of names) if (effectOfName(name) !== 'looks') addNamed(name, findings);
  return findings;
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** Words in the name of a tool that say more than that it changes something: `lock.unlock`, `add_collaborator`. */
const namedEffects = new Map<string, Effect>(
  (
    [
      ['disables_safeguard', 'unlock disarm'],
      ['widens_rights', 'grant collaborator collaborators permission permissions role roles admin visibility'],
      ['installs', 'install'],
      ['connects', 'forwarding'],
    ] as const
  ).flatMap(([effect, listed]) => listed.split(' ').map((word) => [word, effect] as const)),
);

function addNamed(name: string, findings: FindingsBuilder): void {
  for (const word of wordsOf(name)) {
    const effect = namedEffects.get(word);
    if (effect !== undefined) findings.add(effect);
  }
}

const rights = new Set(
  'role roles permission permissions visibility admin anyone everyone public superuser'.split(' '),
);
const forwards = new Set('forward redirect bcc webhook callback'.split(' '));
const creating = new Set('create add new register invite open insert post'.split(' '));

const operationName = /^[a-z_]{2,60}\.[a-z_]{2,60}$/;

/** What is made has to have rights; what there is has some already. */
function creates(name: string): boolean {
  return creating.has(wordsOf(name)[0] ?? '');
}

/** Of JavaScript and R, read as calls where they stand alone. */
const loaders = new Set(['import', 'source']);

/** Arguments that say more than the name of the tool: `update_user(role="admin")`, `create_filter(forward_to=…)`. */
function addGiven(verb: string, args: Arguments, findings: FindingsBuilder): void {
  for (const [name, value] of namedValues(args)) {
    if (isOff(value) || value === '') continue;
    if (!creates(verb) && wordsOf(name).some((word) => rights.has(word)) && !isOtherRole(value))
      findings.add('widens_rights');
    if (wordsOf(name).some((word) => forwards.has(word)) && destination.test(value)) findings.add('connects');
    // `call_service("alarm_control_panel.alarm_disarm", {})`
    if (operationName.test(value)) addNamed(wordsOf(value).at(-1) ?? '', findings);
  }
}

/** An address, a URL or a number to call. */
const destination = /@|^https?:|^\+?\d[\d -]{6,}$/;

/** Of whoever speaks in a conversation, or a job: rights have no spaces. */
function isOtherRole(value: string): boolean {
  return /\s|^(?:user|assistant|system|tool|developer)$/.test(value);
}

const off = new Set(['false', 'off', 'none', 'no', 'never', 'disabled', 'disable', '0']);

function isOff(value: string): boolean {
  return off.has(value.toLowerCase());
}

const guards = new Set(
  'alarm safety cutoff lock locks guard firewall encryption protection safeguard interlock shield antivirus security'.split(
    ' ',
  ),
);

const stateWords = new Set('mode state status enabled active on armed value level'.split(' '));

/** `set_alarm_mode(mode="off")`, `set_rate(max_dose_check="off")` */
function skipsGuard(names: readonly string[], args: Arguments): boolean {
  const isGuard = (word: string) => guards.has(word) || checks.has(word);
  const isOfGuard = names.flatMap(wordsOf).some((word) => guards.has(word));
  return namedValues(args).some(([name, value]) => {
    const [first = '', ...rest] = wordsOf(name);
    if (!isOff(value) || skipping.has(first)) return false;
    return (isOfGuard && stateWords.has(rest.at(-1) ?? first)) || [first, ...rest].some(isGuard);
  });
}

function namedValues(value: Literal, name = ''): [name: string, value: string][] {
  if (typeof value !== 'object' || value === null) return value === null ? [] : [[name, String(value)]];
  return Object.entries(value).flatMap(([key, item]) => namedValues(item, Array.isArray(value) ? name : key));
}

/** What is sent or set up goes to another host. */
function hasUrlElsewhere(value: Literal): boolean {
  if (typeof value === 'string') return /^https?:\/\//i.test(value) && isElsewhere(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUrlElsewhere);
}

function effectOfDocument({ isMutation, fields }: GraphqlDocument): 'looks' | 'destroys' | 'changes' {
  if (!isMutation) return 'looks';
  return fields.some((field) => effectOfName(field) === 'destroys') ? 'destroys' : 'changes';
}

/** What a call sets by its arguments and, unless it only looks, by the texts in them. */
function addSet(args: Arguments, looks: boolean, findings: FindingsBuilder): void {
  const texts = textsIn(args, looks ? 'flags' : 'texts').join('\n');
  for (const effect of [...codeTextEffects(texts), ...(looks ? [] : laterEffects(texts))]) findings.add(effect);
  if (skipsCheck(args)) findings.add('disables_safeguard');
}

const skipping = new Set('skip no disable bypass ignore override waive suppress without'.split(' '));
const requiring = new Set('require requires needs enforce'.split(' '));
const checks = new Set(
  'check checks verification validation approval approvals confirmation review limit limits audit consent policy mfa otp 2fa'.split(
    ' ',
  ),
);

/** `skip_check: true`, `bypassApproval: true`, `require_review: false` */
function skipsCheck(value: Literal): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, item]) => {
    const [first = '', ...rest] = wordsOf(name);
    if (typeof item !== 'boolean') return skipsCheck(item);
    return (item ? skipping : requiring).has(first) && rest.some((word) => checks.has(word));
  });
}

function editEffects({ verb, object = '', args = {} }: Action): Findings {
  const findings = createFindings();
  addWrite(effectOfName(verb) === 'destroys' ? 'destroys' : 'changes', object, findings);
  if (verb !== 'delete' && !isProse(object)) {
    const added = addedBy(args);
    for (const effect of [...codeTextEffects(added), ...laterEffects(added)]) findings.add(effect);
  }
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
    'back visit preview detect estimate evaluate extract parse load ask help status is has can test reason recall ' +
    'finish done answer translate classify rank filter sort glob grep ls cat tree diff inventory zoom monitor summarise research ' +
    'diagnose measure audit'
  ).split(' '),
);

/** What is opened to be looked at. An account, a ticket or a dispute is opened by making it. */
const opened = setOf('file page url tab link document browser app site website folder image window repo notebook menu');
/** The next page of a browser, a thought; what is forwarded or noted is sent or kept. */
const alone = setOf('forward plan note');
/** Inside a name: `sql_db_list_tables` */
const plainLookups = setOf('get list search find read lookup fetch query retrieve describe show view');
/** With these a verb of looking is another: `check_out_book`, `read_receipts_on`. */
const particles = setOf('in out on off');

/** `run_query`: what is run says more. */
const startingWords = new Set(['run', 'start', 'exec', 'use', 'post', 'submit']);

/**
 * By the first word of a name, else by the last: `cancel_order`, `change_plan`, `mcp__shop__list_orders`, `orders.delete`,
 * `flight_search`; and by what follows `and`: `find_and_delete`.
 */
export function effectOfName(name: string): 'looks' | 'destroys' | 'changes' {
  const words = lastWordsOf(name);
  if (words.some((word, at) => words[at - 1] === 'and' && destroyingWords.has(word))) return 'destroys';
  const [first = '', last = first] = [words[0], words.at(-1)];
  if (alone.has(first)) return wordsOf(name).length === 1 ? 'looks' : 'changes';
  if (looks(words)) return 'looks';
  if (destroyingWords.has(first) || destroyingWords.has(last)) return 'destroys';
  if (changingWords.has(first) && !startingWords.has(first)) return 'changes';
  if (lookupVerbs.has(first)) return 'changes';
  const isInside = words.some((word) => plainLookups.has(word)) && !words.some((word) => changingWords.has(word));
  return isInside || lookupVerbs.has(last) ? 'looks' : 'changes';
}

/** `get_orders`, `open_page`, but neither `check_in_guest` nor `open_account` nor `search_and_replace`. */
function looks([first = '', second = '', ...more]: readonly string[]): boolean {
  if (first === 'open') return second === '' || opened.has(more.at(-1) ?? second);
  const isPhrase = (first === 'check' && particles.has(second)) || particles.has(more.at(-1) ?? '');
  const further = [second, ...more].filter((_, at, all) => all[at - 1] === 'and');
  return lookupVerbs.has(first) && !isPhrase && further.every((word) => lookupVerbs.has(word));
}

/** Distinct actions of an example in normal form, and their distinct effects. */
export function exampleActions(example: string): { actions: string[]; effects: Effect[] } {
  const actions = readExample(example);
  return {
    actions: [...new Set(actions.map(normalForm))],
    effects: [...new Set(actions.flatMap(effectsOf))],
  };
}
