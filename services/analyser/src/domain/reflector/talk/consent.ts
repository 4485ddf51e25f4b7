import { withPlainApostrophes } from '../bounded-text.js';
import type { Step } from '../read-steps.js';

const wantsYes =
  /\bconfirm(?:ation)?\b(?! your (?:\w+ ){0,3}(?:name|email|e-mail|id|identity|address|number|zip|code|date|birth|phone|account|details))|\b(?:reply|answer|type|say|respond|write)(?: back)?(?: with)?(?: an?)?(?: explicit| simple)? ?["“'‘]?yes\b|["“'‘(]yes\b|\(y\/n\)|\b(?:if you(?:'d| would)?|you'd) like (?:me )?to\b|\b(?:ready|like|want|wish) to proceed\b|\bi(?:'ll| will| can) (?:then )?(?:proceed|go ahead)\b/i;
/** A question that begins with its verb is answered by yes or no, but for those that offer more help or ask what the user has got. */
const yesOrNo =
  /(?:^|[.!?:;,\n–—-]\s{0,8}|\b(?:so|then|and|or|if so|or else) )(?!is there\b|are there\b|do you (?:have|know|remember|recall)\b)(?:do|does|did|is|are|will|would|shall|should|may|might|can i|could i|have|has|am)\b[^.?!\n]{3,240}\?/i;
/** Asks whether something shall be done, rather than shown, told or left to somebody else. */
const asksToAct =
  /\bconfirm|\bproceed\b|\bgo[ -]ahead\b|\b(?:permission|approv|authori[sz]|agree)|["“'‘(]yes\b|\byes to\b|\bare you sure\b|\b(?:is|does|are) (?:that|this|these|everything)\b[^.?!]{0,80}\b(?:correct|right|good)\b|\b(?:shall i|should i|(?:like|want|wish) me to) (?!check|look|show|tell|list|see|search|find|explain|provide|give|send|get|transfer|connect|hand|escalate)/i;
const leavesIt =
  /\b(?:transfer|connect|escalat|hand)\w*\b[^.?!]{0,60}\b(?:human|agent|person|colleague|representative|specialist|supervisor|team)\b/i;

const interjection =
  /^(?:(?:oh|ah|ugh|um|well|great|perfect|alright|all right|thanks|thank you|ok|okay|sure|fine|and)\b\W{1,3}){1,2}/i;
const saysYes =
  /^(?:yes|yeah|yep|yup|correct|confirm(?:ed|ing)?|agreed|approved|absolutely|definitely|certainly|go (?:ahead|for it)|(?:just |please )?do (?:it|so)|(?:please )?proceed|let's (?:do (?:it|that|this)|proceed|go (?:ahead|for)|move)|please (?:do|go|make|confirm|continue)|that (?:works|looks|sounds) (?:good|great|right|fine|correct|perfect|for me)|that(?:'s| is| all is)? (?:all )?(?:right|correct|fine|good|perfect|it)|(?:all|everything) (?:is |looks |sounds )?(?:good|right|correct|fine)|(?:sounds|looks) (?:good|great|right|fine|correct|perfect)|you got it|i (?:agree|confirm|approve)|i'm (?:sure|certain|ready))\b/i;
const saysGo = /\b(?:yes,|go ahead|please proceed|proceed with|i confirm)/i;
/** Also said merely to go on talking: agrees only where it is all that is said in its sentence and nothing is asked back. */
const weakYes = /^(?:ok|okay|sure|fine|great|perfect|alright|right|exactly|of course)\b/i;
const weakWords = 4;
const refuses = /^(?:no|nope|nah|not (?:yet|now|quite|really)|wait|hold on|stop|don't)\b(?! longer| problem| worries)/i;
const takesBack = /\b(?:scratch that|never ?mind|forget (?:it|about it)|on second thought|changed my mind)\b/i;
/** In other languages a question is known by its mark, and what answers it by its first word. */
const question = /[?？؟]/;
const yesElsewhere =
  /^\W{0,3}(?:(?:ja|jawohl|jep|gerne|einverstanden|genau|oui|d'accord|sí|si|claro|vale|sim|sì|certo|tak|да|evet)(?!\p{L})|はい|ええ|お願い|是的|好的|可以|对|네|예)/iu;
const noElsewhere = /^\W{0,3}(?:(?:nein|non|não|nie|нет|hayır)(?!\p{L})|いいえ|不|아니)/iu;
const englishWords = /\b(?:the|you|your|would|shall|this|that|it|what|which|how|have|can|with|please)\b/i;
const givesDetails = /\bmy (?:\w+ ){0,3}(?:id|name|number|email|code|zip)\b/i;
const askChars = 1_500;
const answerChars = 600;
const sentencesRead = 4;

/** A question that a yes answers, or a request to confirm. */
export function asksForYes({ action }: Step): boolean {
  if (action.kind !== 'reply') return false;
  const asked = ending(action.text);
  return wantsYes.test(asked) || yesOrNo.test(asked);
}

/** The agent asked for a yes and the user gave it. */
export function isConsent(step: Step): boolean {
  return (asksForYes(step) && agrees(step.outcome.text)) || isConsentElsewhere(step);
}

function isConsentElsewhere({ action, outcome }: Step): boolean {
  if (action.kind !== 'reply' || isInEnglish(action.text)) return false;
  return (
    question.test(ending(action.text)) && yesElsewhere.test(withPlainApostrophes(outcome.text.trimStart().slice(0, 40)))
  );
}

/** Whether what a reply asks can be read; of another language only a yes and a no are known. */
export function isInEnglish(reply: string): boolean {
  return englishWords.test(ending(reply));
}

/** The agent asked whether to do what it had said and the user said yes. */
export function isGoAhead(step: Step): boolean {
  const asked = ending(step.action.text);
  return isConsent(step) && asksToAct.test(asked) && !leavesIt.test(asked.slice(-300));
}

/**
 * The changes among these deeds that came after a yes: one covers all until the agent speaks again. A yes to doing something outlasts a
 * question for a detail in between.
 */
export function agreedChanges(deeds: readonly Step[]): Set<Step> {
  const agreed = new Set<Step>();
  let yes = false;
  let lasting = false;
  for (const step of deeds) {
    if (step.action.kind === 'reply') {
      lasting = isGoAhead(step) || (lasting && !isRefusal(step));
      yes = lasting || isConsent(step);
    } else if (step.role === 'change') {
      lasting = false;
      if (yes) agreed.add(step);
    }
  }
  return agreed;
}

/** The user did not want it, or no longer. */
export function isRefusal({ outcome }: Step): boolean {
  const [first = ''] = sentences(outcome.text);
  return (
    refuses.test(first) ||
    noElsewhere.test(first) ||
    takesBack.test(withPlainApostrophes(outcome.text.slice(0, answerChars)))
  );
}

function agrees(answer: string): boolean {
  const said = withPlainApostrophes(answer.slice(0, answerChars));
  const [first = '', ...more] = sentences(answer);
  if (givesDetails.test(said) || takesBack.test(said) || refuses.test(first)) return false;
  if (saysGo.test(said)) return true;
  return [first, ...more].some(
    (sentence) =>
      saysYes.test(sentence.replace(interjection, '')) ||
      saysYes.test(sentence) ||
      (weakYes.test(sentence) && sentence.split(' ').length <= weakWords && !said.includes('?')),
  );
}

function sentences(text: string): string[] {
  return withPlainApostrophes(text.slice(0, answerChars))
    .split(/(?<=[.!?;])\s+|\n+/)
    .map((sentence) => sentence.replace(/^\W+/, ''))
    .filter((sentence) => sentence !== '')
    .slice(0, sentencesRead);
}

function ending(text: string): string {
  return withPlainApostrophes(text.slice(-askChars));
}
