import { memoizeByText } from '../memoize-by-text.js';

/** Of a task, how much is read. */
export const longestTask = 20_000;

/** A question asks about many actions. */
const recentTasks = { texts: 16, chars: longestTask };

/** Words in lower case; `.` ends a clause. */
export const wordsOfTask = memoizeByText((task: string): readonly string[] => {
  const taskWords = task.slice(0, longestTask).toLowerCase().normalize('NFC');
  return (taskWords.match(/[\p{L}\p{N}_]+|[.,;:!?\n]/gu) ?? []).map((word) => (',;:!?\n'.includes(word) ? '.' : word));
}, recentTasks);
