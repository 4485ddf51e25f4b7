import { clip, oneLine } from '../bounded-text.js';
import { sentencesOf } from '../conversation.js';
import { generalise } from '../generalise.js';
import type { Step } from '../read-steps.js';

export interface StatedRule {
  /** Without the names and numbers of the one case. */
  text: string;
  /** The reply that states it. */
  step: Step;
}

const mostWords = 0.5;
const worthTelling = 1;
const strongWords =
  /\b(?:cannot|can'?t|can only|unable to|not (?:allowed|possible|permitted|eligible|refundable|covered)|only (?:be|possible|available|if|within|when|for|use)|must|non-?refundable|not be (?:changed|modified|cancell?ed|refunded|added|removed))\b/gi;
const weakWords =
  /\b(?:eligible|qualif\w+|at most|at least|within \d+|up to \d+|per (?:passenger|person|order|item|customer)|required to|no longer|restrict\w*|because|since|unless|without|if)\b/gi;
const personal =
  /\b(?:i need your|could you|can you|please (?:provide|confirm|let|share|check)|would you|you said|you mentioned|you'd like|here are|let me|provide|policies are|proceed without|your (?:user|account) id|had only|i'm unable to (?:access|find|locate)|i (?:retrieved|found|looked)|details (?:i|show)|shows? (?:only|that)|i see that|as (?:i )?mentioned|as i said|(?:in|under|for) (?:this|these|such) (?:case|conditions?|circumstances|situation)s?|neither (?:of|condition)|through this system|due to this|override|which it is not|not the case here)\b|\?$/i;

/** Said of things rather than of this user's thing: another case can be held against it. */
const aboutOneCase = /^it\b|\b(?:i|i'm|my|you|your|yours|this|it's been)\b/i;
const saysWhy = /\b(?:since|because|as (?:it|the|this|your)|due to|if|unless|only|without|within|more than|once)\b/i;

/** Sentences in which an agent stated a rule of its trade: the ones that say most first, of equals the earlier. */
export function statedRules(replies: readonly Step[], names: ReadonlySet<string>, limit: number): StatedRule[] {
  const rules: (StatedRule & { weight: number })[] = [];
  for (const step of replies.slice(0, 60)) {
    for (const sentence of sentencesOf(step.action.text)) {
      const plain = sentence.replaceAll('’', "'");
      const strong = plain.match(strongWords)?.length ?? 0;
      if (strong === 0 || plain.length > 320 || personal.test(plain)) continue;
      const text = clip(generalise(withoutMarkup(plain), names), 220);
      const weight =
        Math.min(strong, 2) +
        0.5 * Math.min(plain.match(weakWords)?.length ?? 0, 3) +
        (aboutOneCase.test(plain) ? (saysWhy.test(plain) ? 0 : -1) : 1);
      if (weight >= worthTelling && !tooSpecific(text)) rules.push({ text, step, weight });
    }
  }
  const told: StatedRule[] = [];
  for (const { text, step } of rules.sort((a, b) => b.weight - a.weight)) {
    if (told.length === limit) break;
    if (!told.some((known) => sayTheSame(known.text, text))) told.push({ text, step });
  }
  return told;
}

/** One rule in two wordings: most words of the shorter one stand in the other. */
function sayTheSame(a: string, b: string): boolean {
  const [first, second] = [a, b].map((text) => new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? []));
  const [short, long] = (first?.size ?? 0) < (second?.size ?? 0) ? [first, second] : [second, first];
  const shared = [...(short ?? [])].filter((word) => long?.has(word)).length;
  return shared >= mostWords * (short?.size ?? 0);
}

const openings =
  /^(?:unfortunately|however|therefore|additionally|but|also|so|regrettably|it seems that|please note that|note that|according to the polic(?:y|ies)),? /i;

function withoutMarkup(text: string): string {
  const bare = oneLine(text.replace(/[*_#`]{1,3}/g, ' '));
  return bare
    .replace(openings, '')
    .replace(openings, '')
    .replace(/^./, (letter) => letter.toUpperCase());
}

/** What is left after the specifics went should still say something. */
function tooSpecific(rule: string): boolean {
  const placeholders = rule.match(/<\w+>|…/g)?.length ?? 0;
  return placeholders > 1 || rule.includes('<id>') || rule.split(' ').length < 6;
}
