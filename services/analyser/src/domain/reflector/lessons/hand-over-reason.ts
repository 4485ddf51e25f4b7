import { clip } from '../bounded-text.js';
import { sentencesOf } from '../conversation.js';
import { generalise } from '../generalise.js';
import type { Step } from '../read-steps.js';

const reasonChars = 220;
const inBrackets = /\s?\([^()]{0,120}\)/g;
/** Who asks, by name: “User Ada Lovelace wants”, “The user, …, is asking”, “Ada, a member, asks”. */
const whoAsks =
  /^(?:(?:[Tt]he )?(?:[Uu]ser|[Cc]ustomer|client|caller|guest|patient|member)\b|[A-Z][a-z]+ [A-Z][a-z]+,)(?:[\s,…]|<\w+>)*(?=\p{L})/u;

/** Why a case was given to a person, in the words in which the agent told that person; without who it was about. */
export function handOverReason({ action }: Step, names: ReadonlySet<string>): string | undefined {
  const told = Object.values(action.args).find((value) => value.split(' ').length >= 6);
  if (told === undefined) return undefined;
  const [first = '', second = ''] = sentencesOf(told.slice(0, 1_000).replace(inBrackets, ''));
  const both = `${first} ${second}`.trim();
  const reason = generalise(both.length > reasonChars ? first : both, names)
    .replace(whoAsks, 'The user, ')
    .replace(/^The user, (?!an? )/, 'The user ');
  const placeholders = reason.match(/<\w+>|…/g)?.length ?? 0;
  return placeholders > 1 || reason.split(' ').length < 6 ? undefined : clip(reason, reasonChars);
}
