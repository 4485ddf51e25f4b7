import { clip } from '../bounded-text.js';
import { generalise } from '../generalise.js';
import type { Step } from '../read-steps.js';
import { sentencesOf } from '../talk/conversation.js';

const reasonChars = 220;
const inBrackets = /\s?\([^()]{0,120}\)/g;
/** Who asks, by name: “User Ada Lovelace wants”, “The user, …, is asking”, “Ada, a member, asks”. */
const whoAsks =
  /^(?:(?:[Tt]he )?(?:[Uu]ser|[Cc]ustomer|client|caller|guest|patient|member)\b|[A-Z][a-z]+ [A-Z][a-z]+,)(?:[\s,…]|<\w+>)*(?=\p{L})/u;

const saysNothing =
  /^(?:further |immediate )?(?:assistance|help|support|investigation|please|transfer|requesting|needs)\b/i;
const saysWhy =
  /\b(?:because|since|due to|despite|but|however|not|no|cannot|can't|beyond|exception|unable|refus\w+|error|fail\w+|broken|issues?|discrepanc\w+|insist\w*|claim\w*|believes?|supervisor|manager|report\w*|complain\w*)\b/i;

/** Why a case was given to a person, in the words in which the agent told that person; without who it was about. */
export function handOverReason({ action }: Step, names: ReadonlySet<string>): string | undefined {
  const told = Object.values(action.args).find((value) => value.split(' ').length >= 6);
  if (told === undefined) return undefined;
  const sentences = sentencesOf(told.slice(0, 1_000).replace(inBrackets, ''))
    .slice(0, 3)
    .map((sentence) =>
      generalise(sentence, names)
        .replace(whoAsks, 'The user, ')
        .replace(/^The user, (?!an? )/, 'The user ')
        .replace(/^(?:She|He)\b/, 'The user'),
    )
    .filter((sentence) => !saysNothing.test(sentence) && (sentence.match(/<\w+>|…/g)?.length ?? 0) < 2);
  const why = sentences.findIndex((sentence) => saysWhy.test(sentence));
  if (why < 0) return undefined;
  const together = sentences.slice(0, why + 1).join(' ');
  return clip(together.length > reasonChars ? (sentences[why] ?? '') : together, reasonChars);
}
