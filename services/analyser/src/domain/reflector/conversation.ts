import type { Step } from './read-steps.js';

const asksConsent =
  /\b(?:confirm (?:if|whether|that you|to|with|the (?:above|change|cancel|booking)|\(?yes)|(?:do you|if you|please) confirm\b(?! your)|would you like (?:me )?to (?:proceed|go ahead|continue|cancel|book|update|issue)|shall i|should i (?:proceed|go ahead)|do you (?:want|wish) (?:me )?to|is (?:that|this) (?:ok|okay|correct|right)|\(yes\/no\)|may i proceed|like to proceed)/i;
const givesDetails = /\bmy (?:\w+ ){0,3}(?:id|name|number|email|code|zip)\b/i;
const consents =
  /^\W{0,3}(?:yes|yeah|yep|sure|ok|okay|correct|confirmed?|go ahead|please (?:do|proceed|go|cancel|book|update|make)|that(?:'s| is) (?:right|correct|fine)|sounds good|absolutely|of course)\b|\b(?:yes,|i confirm|go ahead|please proceed|proceed with)\b/i;
const asksFor =
  /\b(?:(?:could|can|would) you (?:please )?(?:provide|share|tell|give|confirm|send)|i(?:'ll| will| still)? need (?:your|the|some|a few)|please (?:provide|share|give|send|let me know)|what is your|may i have|once you (?:provide|share|give|send|have|find|locate))\b/i;
const cannotGive =
  /\b(?:(?:don'?t|do not|can'?t|cannot|not) (?:have|remember|know|recall|find|sure)|(?:i|i've|i'm) (?:lost|forgot|forgotten|unsure)|not sure|no idea|is there (?:another|any other) way|look it up|without it)\b/i;

/** The agent said what it would do and the user said yes to it. */
export function isConsent({ action, outcome }: Step): boolean {
  if (action.kind !== 'reply' || !asksConsent.test(action.text.slice(-1_500))) return false;
  const answer = outcome.text.slice(0, 600);
  return consents.test(answer) && !givesDetails.test(answer);
}

/** The agent asked the user for something. */
export function isRequest({ action }: Step): boolean {
  return action.kind === 'reply' && asksFor.test(action.text.slice(0, 1_500));
}

/** The agent asked and the user has not got it. */
export function isUnanswerable(step: Step): boolean {
  return isRequest(step) && cannotGive.test(plain(step.outcome.text.slice(0, 600)));
}

function plain(text: string): string {
  return text.replaceAll('’', "'");
}

const pleasantry =
  /^(?:you'?re (?:very )?welcome|thank you|thanks|have a (?:great|nice|good|wonderful|fantastic|safe)|glad|happy to help|my pleasure|no problem|take care|safe travels|goodbye|bye|hello|hi\b|great|is there anything else|if you (?:have|need) any|feel free|please let me know|let me know|i understand|i'?m sorry|i apologi[sz]e|certainly|sure|of course)/i;

const sendsAway =
  /\b(?:contact(?:ing)?|reach(?:ing)? out to|call(?:ing)?|speak(?:ing)? (?:to|with)|get(?:ting)? in touch with) (?:our |the |your |a )?(?:customer|support|service|help|team|agent|representative|helpdesk|human)/i;

/** Whether a sentence leaves the matter to somebody else: it settles nothing. */
export function isSendingAway(sentence: string): boolean {
  return sendsAway.test(sentence);
}

/** Sentences of a reply that say something about the matter. Bounded before it comes here. */
export function sentencesOf(text: string): string[] {
  return text
    .slice(0, 3_000)
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.replace(/^[\s\-*•\d.)]{0,8}/, '').trim())
    .filter((sentence) => sentence.length > 12 && !pleasantry.test(plain(sentence)));
}
