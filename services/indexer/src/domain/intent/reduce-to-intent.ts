import { estimateTokens, scanUnits } from './scan-units.js';
import { type ScoredUnit, scoreUnits } from './score-units.js';

/** What the embedding model reads is 256 tokens with its two marks; the estimate may be a little short. */
const readableTokens = 240;
const budgetTokens = 200;
const budgetWords = 120;
const fallbackCharacters = 800;
/** What is worth less than this share of the best unit would only dilute it; company of what was chosen needs less. */
const shareOfBest = 0.85;
const shareOfCompany = 0.6;

/**
 * What a text is about, short enough for the embedding model. A text that the model can read whole stays as it is but for
 * white space. Of a longer one, the few sentences are kept, in their order, that say what is wanted, wherever they stand:
 * before, after or between pages of logs, documents or talk. Takes time linear in the length of the text.
 */
export function reduceToIntent(text: string): string {
  if (estimateTokens(text, readableTokens) <= readableTokens) return collapse(text);
  const chosen = choose(scoreUnits(text, scanUnits(text))).sort((a, b) => a.index - b.index);
  const intent = collapse(chosen.map(({ unit: { start, end } }) => text.slice(start, end)).join(' '));
  return intent || collapse(text.slice(0, fallbackCharacters));
}

function choose(units: ScoredUnit[]): ScoredUnit[] {
  const ranked = units.toSorted((a, b) => b.score - a.score || a.index - b.index);
  const best = ranked[0]?.score ?? 0;
  const paragraphs = new Set<number>();
  const chosen: ScoredUnit[] = [];
  let tokens = 0;
  let words = 0;
  for (const candidate of ranked) {
    const { unit, score } = candidate;
    if (score < best * shareOfCompany || tokens >= budgetTokens || words >= budgetWords) break;
    if (score < best * shareOfBest && !paragraphs.has(unit.paragraph)) continue;
    if (tokens + unit.tokens > budgetTokens || words + unit.words > budgetWords) continue;
    chosen.push(candidate);
    paragraphs.add(unit.paragraph);
    tokens += unit.tokens;
    words += unit.words;
  }
  return chosen;
}

function collapse(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
