import { estimateTokens, scanUnits } from './scan-units.js';
import { type ScoredUnit, scoreUnits } from './score-units.js';

/** The embedding model reads 256 tokens including its start and end tokens; the margin covers estimation errors. */
const maxTokens = 240;
const budgetTokens = 200;
const budgetWords = 120;
const fallbackCharacters = 800;
/** Units below this share of the best score would dilute the intent; neighbours of a chosen one need less. */
const minShare = 0.85;
const neighbourShare = 0.6;

/**
 * Reduces a text to what it asks for, short enough for the embedding model. A text that fits is kept, except for white
 * space. From a longer text it keeps the few sentences that state the request, in order, wherever they are: before,
 * after or between pages of logs, documents or chat. Linear in the length of the text.
 */
export function reduceToIntent(text: string): string {
  if (estimateTokens(text, maxTokens) <= maxTokens) return collapse(text);
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
    if (score < best * neighbourShare || tokens >= budgetTokens || words >= budgetWords) break;
    if (score < best * minShare && !paragraphs.has(unit.paragraph)) continue;
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
