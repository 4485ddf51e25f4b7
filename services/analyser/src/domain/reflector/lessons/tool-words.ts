import { capitalised, clip, listed } from '../bounded-text.js';
import type { Step } from '../read-steps.js';

export const titleChars = 160;

/** What a strategy says. */
export interface ToolWords {
  title: string;
  content: string;
  /** It says what was done and not what decided it. */
  isVague?: boolean;
}

/** The tools of these calls, each once. */
export function named(steps: readonly Step[], most = 4): string {
  return listed([...new Set(steps.map(({ action }) => `\`${action.name}\``))].slice(0, most));
}

/** The tools with how often each was called, and with what there is to note on it. */
export function counted(steps: readonly Step[], notes: ReadonlyMap<string, string> = new Map()): string {
  const counts = new Map<string, number>();
  for (const { action } of steps) counts.set(action.name, (counts.get(action.name) ?? 0) + 1);
  const said = ([name, count]: [string, number]) => {
    const note = notes.get(name);
    const aside = [count > 1 ? `${count} here` : '', note === undefined ? '' : count > 1 ? note : `here ${note}`];
    const told = aside.filter((part) => part !== '').join(', ');
    return `\`${name}\`${count > 1 ? ' for each of them' : ''}${told === '' ? '' : ` (${told})`}`;
  };
  return listed([...counts].slice(0, 5).map(said));
}

/** "First this, that, then the last" */
export function inOrder(order: readonly string[]): string {
  return capitalised(order.length > 1 ? `${order.slice(0, -1).join(', ')}, then ${order.at(-1)}` : order.join(''));
}

/** The first of these titles, fullest first, that need not be cut; else the last, cut where no name is cut: half a tool is no tool. */
export function fittingTitle(titles: readonly string[]): string {
  const fitting = titles.find((title) => title.length <= titleChars);
  if (fitting !== undefined) return fitting;
  const cut = clip(titles.at(-1) ?? '', titleChars);
  const isWhole = cut.split('`').length % 2 === 1;
  return isWhole ? cut : `${cut.slice(0, cut.lastIndexOf('`')).trimEnd()}…`;
}
