import { clip, oneLine } from '../bounded-text.js';
import { sentencesOf } from '../conversation.js';
import { generalise } from '../generalise.js';
import type { Step } from '../read-steps.js';

const ruleWords =
  /\b(?:cannot|can'?t|can only|not (?:allowed|possible|permitted|eligible|refundable|available|able|covered)|only (?:be|available|if|within|when|for|one|use)|must|policy|policies|eligible|qualif\w+|unable|not be (?:changed|modified|cancel\w*|refunded|added|removed)|at most|at least|within \d+|up to \d+|per (?:passenger|person|order|item|customer)|required to|no longer|restrict\w*|non-?refundable)\b/i;
const personal =
  /\b(?:i need your|could you|can you|please (?:provide|confirm|let|share|check)|would you|you said|you mentioned|you'd like|here are|let me|provide)\b|\?$/i;

/** Sentences in which an agent stated a rule of its trade, without the names and numbers of the one case. */
export function ruleSentences(replies: readonly Step[], names: ReadonlySet<string>, limit: number): string[] {
  const rules: string[] = [];
  for (const { action } of [...replies].reverse()) {
    for (const sentence of sentencesOf(action.text)) {
      const plain = sentence.replaceAll('’', "'");
      if (!ruleWords.test(plain) || personal.test(plain) || plain.length > 320) continue;
      const rule = clip(generalise(withoutMarkup(plain), names), 220);
      if (tooSpecific(rule) || rules.some((known) => known.slice(0, 40) === rule.slice(0, 40))) continue;
      rules.push(rule);
      if (rules.length === limit) return rules;
    }
  }
  return rules;
}

function withoutMarkup(text: string): string {
  return oneLine(
    text
      .replace(/[*_#`]{1,3}/g, '')
      .replace(/^(?:unfortunately|however|therefore|additionally|since|but|also|so|regrettably),? /i, ''),
  ).replace(/^./, (letter) => letter.toUpperCase());
}

/** What is left after the specifics went should still say something. */
function tooSpecific(rule: string): boolean {
  const placeholders = rule.match(/<\w+>|…/g)?.length ?? 0;
  return placeholders > 2 || rule.split(' ').length < 6;
}
