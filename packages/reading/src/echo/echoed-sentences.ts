import { adviceLines, everyLine } from './advice-lines.js';
import { detailLabels, headPattern } from './advice-marks.js';

/** Shorter sentences are anybody's. */
const leastWords = 5;
const mostAdvice = 256 * 1024;
const head = new RegExp(headPattern, 'gi');
const example = new RegExp(`(?:^|\\s)(?:${detailLabels.example}|${detailLabels.failed})`, 'i');
const label = new RegExp(
  `^\\W{0,20}(?:\\d{1,3}[.)]\\s{0,4})?(?:${detailLabels.when}|${detailLabels.notWhen}|${detailLabels.steps})`,
  'i',
);
const between = /(?<=[.!?…”])(\s+)/;

/**
 * The sentences of pieces of advice, for knowing them again. Examples are left out: whoever does what an example shows has
 * acted, and what came of that is evidence.
 */
export function sentencesOfAdvice(advice: readonly string[]): Set<string> {
  const sentences = new Set<string>();
  let left = mostAdvice;
  for (const piece of advice) {
    left -= piece.length;
    if (left < 0) break;
    let inExample = false;
    for (const { text } of adviceLines(piece)) {
      const isHead = text.search(head) >= 0;
      inExample &&= !isHead && !label.test(text);
      const at = text.search(example);
      if (!inExample) for (const sentence of partsOf(at < 0 ? text : text.slice(0, at))) sentences.add(sentence);
      inExample ||= at >= 0;
    }
  }
  return sentences;
}

function partsOf(line: string): string[] {
  const said = line.replace(head, '').split(new RegExp(`(?=${detailLabels.when}|${detailLabels.notWhen})`));
  return said
    .flatMap((part) => part.replace(label, '').split(between))
    .map(plain)
    .filter((sentence) => sentence.split(' ').length >= leastWords);
}

/** The text without sentences that repeat advice word for word. What is no prose, as commands and calls, stays as it is. */
export function withoutEchoes(text: string, sentences: ReadonlySet<string>): string {
  if (sentences.size === 0) return text;
  let changed = false;
  const lines = everyLine(text).map((line) => {
    const parts = line.text.split(between);
    const kept = parts.filter((part) => !(isProse(part) && sentences.has(plain(part.replace(label, '')))));
    if (kept.length === parts.length) return line.text + line.end;
    changed = true;
    const rest = kept.join('').trimEnd();
    return /\p{L}/u.test(rest) ? rest + line.end : '';
  });
  return changed ? lines.join('') : text;
}

function isProse(part: string): boolean {
  return /^[\s>*#+|`"'“(\d.)-]{0,40}\p{Lu}/u.test(part) && /[.!?…”][*_`"')]{0,4}\s*$/.test(part.slice(-20));
}

/** Words alone: how they are set does not matter. */
function plain(sentence: string): string {
  return sentence
    .replace(/^[\s>*#+|-]{0,20}\d{1,3}[.)]\s/, '')
    .toLowerCase()
    .replace(/&(?:quot|apos|amp|lt|gt|#39|#x27);|\\+["']/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
