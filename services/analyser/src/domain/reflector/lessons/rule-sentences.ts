import { clip, oneLine, withPlainApostrophes } from '../bounded-text.js';
import { generalise } from '../generalise.js';
import type { Step } from '../read-steps.js';
import { sentencesOf } from '../talk/conversation.js';

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
/** What sounds like a rule and is none. */
const noRules: readonly RegExp[] = [
  // Asking, offering, telling what was found.
  /\b(?:i need your|could you|can you|please (?:provide|confirm|let|share|check)|would you|you said|you mentioned|you'd like|here are|let me|provide|policies are|proceed without|your (?:user|account) id|had only|i (?:retrieved|found|looked)|details (?:i|show)|shows? (?:only|that)|i see that|as (?:i )?mentioned|as i said|(?:in|under|for) (?:this|these|such|that) (?:case|conditions?|circumstances|situation)s?|neither (?:of|condition)|through this system|due to this|override|which it is not|not the case here)\b|\?$/i,
  /^(?:confirm|please|double-check|choose|select|tell|let|make sure|reply|note down|thank|provide)\b|^if you(?:'re| are| cannot| can't)\b.{0,20}\b(?:unable|cannot|can't|find|locate|recall|remember)\b|\bif (?:needed|necessary|you (?:prefer|like|wish))\b/i,
  // What the agent itself cannot see, find out, promise or go on with; and what it has to be told first.
  /\b(?:(?:cannot|can't|could not|unable to|not able to|can only) (?:\w+ ){0,1}?(?:access|find|locate|search|look|see|view|check|retrieve|identify|determine|verify|guarantee|promise|expedite|assist|help|proceed|continue|start|fulfil\w*|answer|tell|know)\b(?! with the \w+ if\b))/i,
  /\bwithout (?:the|your|an?|more|further|any|that|this|knowing|having) (?:\S+ ){0,4}?(?:ids?|numbers?|codes?|names?|e-?mails?|details|information|confirmation)\b/i,
  // Said of a thing that only the talk before tells.
  /^(?:it|this|that|they|these|those)\b/i,
  // Things counted by the talk: “order 1”, “option 2”.
  /\b(?:option|item|order|number|case|booking|ticket|account|request) \d\b/i,
  // A refusal without a condition.
  /^the (?!.*\b(?:unless|only|if|until|once|after|before|because|since|without|within|must|policy is)\b).*\b(?:not (?:possible|allowed|available)|cannot be (?:processed|done|completed|made))\b/i,
];
/** A list item, a label, half a sentence. */
const fragment = /^[–—•-]|^\W*\w+(?: \w+)?: |[^.!”"')…]$/;

/** Said of things rather than of this user's thing: another case can be held against it. */
const aboutOneCase = /\b(?:i|i'm|my|we|we're|you|your|yours|this|it's been)\b/i;
const saysWhy = /\b(?:since|because|as (?:it|the|this|your)|due to|if|unless|only|without|within|more than|once)\b/i;

/** Sentences in which an agent stated a rule of its trade: the ones that say most first, of equals the earlier. */
export function statedRules(replies: readonly Step[], names: ReadonlySet<string>, limit: number): StatedRule[] {
  const rules: (StatedRule & { weight: number })[] = [];
  for (const step of replies.slice(0, 60)) {
    for (const sentence of sentencesOf(step.action.text)) {
      const plain = withoutMarkup(withPlainApostrophes(sentence));
      const strong = plain.replace(aside, '').match(strongWords)?.length ?? 0;
      if (strong === 0 || plain.length > 320 || !isWhole(plain) || noRules.some((none) => none.test(plain))) continue;
      const text = clip(generalise(plain, names).replace(specificAside, ''), 220);
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
  /^(?:unfortunately|however|therefore|additionally|but|also|so|regrettably|it seems(?: that)?|please note(?: that|:)|note(?: that|:)|keep in mind that|just to clarify|to clarify|i(?:'m| am) (?:very |so )?sorry,? but|i need to inform you that|according to (?:our|the) polic(?:y|ies)),? /i;
const aside = /\([^()]*\)/g;
/** An aside that names the thing of the one case. */
const specificAside = /\s?\((?:which (?:is|was) |[^()]*(?:<\w+>|…))[^()]*\)/g;

/** A whole sentence, with every bracket closed. */
function isWhole(sentence: string): boolean {
  return !fragment.test(sentence) && sentence.split('(').length === sentence.split(')').length;
}

function withoutMarkup(text: string): string {
  const bare = oneLine(text.replace(/[*_#`]{1,3}/g, ' ').replace(/[“”"]/g, "'"));
  return bare
    .replace(/^\(([^()]+)\)$/, '$1')
    .replace(openings, '')
    .replace(openings, '')
    .replace(/^./, (letter) => letter.toUpperCase());
}

/** What is left after the specifics went should still say something. */
function tooSpecific(rule: string): boolean {
  const placeholders = rule.match(/<\w+>|…/g)?.length ?? 0;
  return placeholders > 1 || rule.includes('<id>') || rule.split(' ').length < 6;
}
