import { agree, contentWords } from './content-words.js';

/** Vague tasks share most of their few words and want different things. */
const fewWords = 4;

/** Whether a task is this one, maybe in other words. Nearness of meaning is not enough: like requests can want the opposite. */
export function createIsSameTask(intent: string): (other: string) => boolean {
  const words = contentWords(intent);
  return (other) => other === intent || (words.size >= fewWords && agree(words, contentWords(other)));
}
