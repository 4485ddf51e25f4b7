import type { Insight } from '@whetstone/contracts';

const destroys =
  /(?:^|[|;&(`]\s{0,4}|\b(?:sudo|do|then|else)\s|\bxargs\s(?:-\S{1,20}\s){0,4}|-exec\s)(?:rm|rmdir|shred|mkfs\S{0,10}|dd|truncate|kill|killall|pkill)\b|\s-delete\b|\b(?:drop\s+(?:table|database|index|view|column)|delete\s+from|truncate\s+table)\b|\bgit\s+(?:reset\s+--hard|clean|push\s+(?:-f|--force))|\bkubectl\s+delete|\bdocker\s+(?:rm|rmi|system\s+prune)/im;
const asksForIt =
  /\b(?:delet|remov|clean|tid|purg|drop|eras|wip|prun|clear|empt|uninstall|kill|stop|terminat|truncat|discard|reset|evict|destroy|overwrit|rid|mov|rotat|undo|roll)\w{0,6}\b/i;

/**
 * Whether a lesson's example would destroy something that the task does not ask to be destroyed. A run that deleted old
 * files is near to a task that looks for old files, and an agent that only looks has to be told what its command does.
 */
export function isUncalledFor({ kind, example = '' }: Insight, task: string): boolean {
  return kind !== 'pitfall' && destroys.test(example.slice(0, 2_000)) && !asksForIt.test(task);
}
