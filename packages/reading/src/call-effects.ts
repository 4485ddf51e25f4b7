import type { Effect } from '@whetstone/contracts';
import type { Action, Arguments } from './action.js';
import { destroyingWords } from './effect-table.js';
import { executedIn } from './executed.js';
import { type Findings, found } from './findings.js';
import { isElsewhere, isRightsFile, isStartup } from './operand-classes.js';

/** Words that tools begin with that only look, ask or compute. */
const lookingWords = new Set(
  `get list search find read lookup look check calculate calc compute think query fetch show view describe count retrieve browse
  verify validate compare analyze analyse summarize summarise explain inspect observe examine scroll hover wait screenshot goto go
  navigate back forward visit open preview detect estimate evaluate extract parse load ask help status is has can test plan reason
  recall remember note finish done answer translate classify rank filter sort peek glob grep ls cat tree diff inventory zoom`.split(
    /\s+/,
  ),
);

export interface MethodRow {
  method: string;
  effect: Effect | undefined;
}

export const methodRows: readonly MethodRow[] = [
  { method: 'GET', effect: undefined },
  { method: 'HEAD', effect: undefined },
  { method: 'OPTIONS', effect: undefined },
  { method: 'POST', effect: 'changes' },
  { method: 'PUT', effect: 'changes' },
  { method: 'PATCH', effect: 'changes' },
  { method: 'DELETE', effect: 'destroys' },
];

/** What a request does, by its method; the last word of its path may tell that it only looks, or that it takes away. */
export function requestEffects({ verb, object = '' }: Action): Findings {
  const all = found();
  const method = verb.toUpperCase();
  const row = methodRows.find((candidate) => candidate.method === method);
  const path = object.split(/[?#]/, 1)[0] ?? '';
  const last = path.slice(path.lastIndexOf('/') + 1);
  const said = effectOfName(last);
  const effect = row === undefined ? 'changes' : row.effect;
  if (method === 'POST' && said === 'looks') return withHost(object, all);
  if (effect !== undefined) all.add(effect === 'changes' && said === 'destroys' ? 'destroys' : effect);
  if (effect === 'destroys' && /^(?:\*|_all)$/.test(last)) all.add('destroys_all');
  return withHost(object, all);
}

function withHost(url: string, all: ReturnType<typeof found>): Findings {
  if (/^[a-z]{2,6}:\/\//i.test(url) && isElsewhere(url)) all.add('connects');
  return all;
}

/** What a call of a tool does: what it executes where it executes something, else what its name says. */
export function callEffects({ verb, args = {} }: Action): Findings {
  const all = found();
  const executed = executedIn(verb, args);
  if (executed) all.executed.push(executed);
  else {
    const said = effectOfName(verb);
    if (said !== 'looks') all.add(said);
  }
  const path = pathIn(args);
  if (path !== undefined && all.effects.size > 0) addPath(path, all);
  return all;
}

export function editEffects({ verb, object = '' }: Action): Findings {
  const all = found();
  all.add(effectOfName(verb) === 'destroys' ? 'destroys' : 'changes');
  addPath(object, all);
  return all;
}

function addPath(path: string, all: ReturnType<typeof found>): void {
  if (isStartup(path)) all.add('persists');
  if (isRightsFile(path)) all.add('widens_rights');
}

function pathIn(args: Arguments): string | undefined {
  const value = ['path', 'file_path', 'file', 'filename', 'target_file']
    .map((name) => args[name])
    .find((given) => typeof given === 'string');
  return typeof value === 'string' ? value : undefined;
}

/** By the first word of a name, else by the last: `cancel_order`, `mcp__shop__list_orders`, `orders.delete`, `flight_search`. */
export function effectOfName(name: string): 'looks' | 'destroys' | 'changes' {
  const own =
    name
      .slice(0, 200)
      .split(/\.|::|:|\/|__/)
      .findLast((part) => part !== '') ?? '';
  const words = own
    .split(/[_\s-]+|(?<=[a-z0-9])(?=[A-Z])/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
  for (const word of [words[0] ?? '', words.at(-1) ?? '']) {
    if (lookingWords.has(word)) return 'looks';
    if (destroyingWords.has(word)) return 'destroys';
  }
  return 'changes';
}
