import { wordsOfName } from '../actions/action-role.js';
import { withPlainApostrophes } from '../bounded-text.js';
import type { Step } from '../read-steps.js';

const asksFor =
  /\b(?:(?:could|can|would) you (?:please )?(?:provide|share|tell|give|confirm|send)|i(?:'ll| will| still)? need (?:your|the|some|a few)|please (?:provide|share|give|send|let me know)|what is your|may i have|once you (?:provide|share|give|send|have|find|locate))\b/i;
const cannotGive =
  /(?<!\b(?:you|they|we|it|there) )\b(?:(?:don'?t|do not|can'?t|cannot|not) (?:actually |currently |really )?(?:have|remember|know|recall|find|sure)|(?:i|i've|i'm) (?:lost|forgot|forgotten|unsure)|not sure|no idea|is there (?:another|any other) way|look it up|without it)\b/i;
const thing = /\b([a-z]{3,30})(?: |_)(?:ids?|numbers?|codes?|references?)\b/g;
const noThing = /^(?:the|your|my|that|this|any|its|their|those|these|new|exact|specific|correct|and|right|other)$/;

/** The agent asked the user for something. */
export function isRequest({ action }: Step): boolean {
  return action.kind === 'reply' && asksFor.test(action.text.slice(0, 1_500));
}

/** The agent asked and the user has not got it. */
export function isUnanswerable(step: Step): boolean {
  return isRequest(step) && cannotGive.test(withPlainApostrophes(step.outcome.text.slice(0, 600)));
}

/** What the user has not got, by the word before “id”, “number”, “code”: as the user calls it, or as the agent asked for it. */
export function lackedThings(step: Step): Set<string> {
  if (!isUnanswerable(step)) return new Set();
  const sentences = withPlainApostrophes(step.outcome.text.slice(0, 600)).split(/(?<=[.!?])\s+/);
  const lacking = thingsIn(sentences.filter((sentence) => cannotGive.test(sentence)).join(' '));
  return lacking.size > 0 ? lacking : askedThings(step);
}

/** What the agent asked for, by the same word. */
export function askedThings(step: Step): Set<string> {
  if (step.action.kind !== 'reply') return new Set();
  const sentences = step.action.text.slice(0, 1_500).split(/(?<=[.!?])\s+|\n+/);
  return thingsIn(sentences.filter((sentence) => asksFor.test(sentence)).join(' '));
}

/** Whether an argument (`order_id`, `orderIds`) is one of these things. */
export function namesThing(arg: string, things: ReadonlySet<string>): boolean {
  return wordsOfName(arg).some((word) => things.has(word));
}

function thingsIn(text: string): Set<string> {
  const found = [...text.toLowerCase().matchAll(thing)].map(([, word = '']) => word);
  return new Set(found.filter((word) => !noThing.test(word)));
}

const pleasantry =
  /^(?:you'?re (?:very )?welcome|thank you|thanks|have a (?:great|nice|good|wonderful|fantastic|safe)|glad|happy to help|my pleasure|no problem|take care|safe travels|goodbye|bye|hello|hi\b|great|is there anything else|if you (?:have|need) any|feel free|please let me know|let me know|i understand|i'?m sorry(?!,? but)|i apologi[sz]e(?!,? but)|certainly|sure|of course)/i;

const sendsAway =
  /\b(?:contact(?:ing)?|reach(?:ing)? out to|call(?:ing)?|speak(?:ing)? (?:to|with)|get(?:ting)? in touch with) (?:our |the |your |a )?(?:customer|support|service|help|team|agent|representative|helpdesk|human)/i;

const cannotGoOn =
  /\b(?:cannot|can'?t|could not|unable to|not able to) (?:\w+ ){0,2}?(?:proceed|continue|assist|help|locate|find|access|look)\b|\bwithout (?:the|your|an?|that|this) (?:\S+ ){0,4}?(?:ids?|numbers?|codes?|names?|e-?mails?|details|information)\b/i;
const asksToLook = /^please (?:check|look|try|provide|contact|reach|let)\b/i;

/** Whether a sentence leaves the matter open, to the user or to somebody else: it settles nothing. */
export function leavesOpen(sentence: string): boolean {
  const told = withPlainApostrophes(sentence);
  return sendsAway.test(told) || cannotGoOn.test(told) || asksToLook.test(told);
}

/** Sentences of a reply that say something about the matter. Bounded before it comes here. */
export function sentencesOf(text: string): string[] {
  return text
    .slice(0, 3_000)
    .split(/(?<=[.!?])(?<!\b(?:e\.g|i\.e|etc|approx|incl|no|vs|dr|mr|mrs|ms)\.)\s+|(?<=[。！？])|\n+/i)
    .map((sentence) => sentence.replace(/^[\s\-*•\d.)]{0,8}/, '').trim())
    .filter((sentence) => sentence.length > 12 && !pleasantry.test(withPlainApostrophes(sentence)));
}
