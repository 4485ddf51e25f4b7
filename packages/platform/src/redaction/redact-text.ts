import { redactAssignments } from './assignments.js';
import { redactCredentials } from './credentials-in-transit.js';
import type { OnSecret } from './secret-kinds.js';
import { redactWellKnownTokens } from './well-known-tokens.js';

/** No secret worth the name is shorter, with the name that gives it away. */
const shortestTelling = 8;

/** The text without its secrets. Every pattern takes time that is linear in the text. */
export function redactText(text: string, onSecret: OnSecret): string {
  if (text.length < shortestTelling) return text;
  return redactAssignments(redactCredentials(redactWellKnownTokens(text, onSecret), onSecret), onSecret);
}
