import type { Action } from './action.js';

const verbs =
  'click|dblclick|type|fill|press|hover|scroll|goto|go_back|go_forward|goback|goforward|open|navigate|select|select_option|' +
  'search|lookup|new_tab|tab_focus|close_tab|page_focus|page_close|clear|check|uncheck|drag|upload|keyboard|submit_form|tap|swipe';
const bracketForm = new RegExp(`^(${verbs})\\s*\\[`, 'i');
const callForm = new RegExp(`^(?:page\\.|browser\\.|driver\\.)?(${verbs})\\s*\\(`, 'i');
const bareForm = /^(?:go_back|go_forward|goback|goforward|new_tab|close_tab|page_close|scroll (?:up|down))$/i;
const elementId = /[[('"]\s*([A-Za-z]?\d{1,6})\s*['"\])]/;

/** Reads `click [12]`, `type [7] [text]`, `click('a51')`, `goto(url)`, `search[words]`, `click[Buy Now]`. */
export function readBrowserAction(text: string): Action | undefined {
  const firstLine = text.split('\n', 1)[0]?.trim() ?? '';
  if (firstLine.length > 500) return undefined;
  const name = (bracketForm.exec(firstLine) ?? callForm.exec(firstLine))?.[1] ?? bareForm.exec(firstLine)?.[0];
  if (name === undefined) return undefined;
  // A tool may bear such a name too; an object of named arguments tells it apart.
  if (/\(\s*\{/.test(firstLine)) return undefined;
  return { kind: 'browser', name: name.toLowerCase(), args: {}, text: firstLine };
}

/**
 * What the element is called on the page that the agent saw: `[12] button 'Add to cart'`. Ids change with every page,
 * labels are what another run can look for.
 */
export function labelOfElement(action: Action, page: string): string | undefined {
  const id = elementId.exec(action.text)?.[1];
  if (id === undefined) return undefined;
  const at = page.indexOf(`[${id}]`);
  if (at < 0) return undefined;
  const line = page.slice(at + id.length + 2, at + id.length + 160).split('\n', 1)[0] ?? '';
  const label = line.replace(/\s+/g, ' ').trim();
  // On a page that offers choices in brackets the next one is no label.
  return label === '' || label.startsWith('[') ? undefined : label.slice(0, 80);
}

/** What the action names first: `click("text=Edit")`, `click[Buy now]`, `goto(url)`, `search[Harbour (choir)]`. */
export function targetOf({ text }: Action): string {
  const [, , quoted] = /[[(]\s?(["'`])(.{1,300}?)\1\s?[,)\]]/.exec(text) ?? [];
  const inBrackets = /^\w+\s*\[([^\]]{1,300})/.exec(text)?.[1];
  return (quoted ?? inBrackets ?? /[[(]([^\])]{1,300})/.exec(text)?.[1] ?? '').trim();
}

const fromTheTask = 0.65;

/** Whether what an action is about is mostly said by the task, such as the size that it asks for. */
export function namesWhatTheTaskNames(action: Action, task: ReadonlySet<string>): boolean {
  const named = [...wordsIn(targetOf(action))];
  const known = named.filter((word) => task.has(word)).length;
  return known > 0 && known >= fromTheTask * named.length;
}

export function taskWords(task: string): Set<string> {
  return wordsIn(task.slice(0, 2_000));
}

function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,40}/gu));
}
