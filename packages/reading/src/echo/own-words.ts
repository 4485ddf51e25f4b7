import type { Interaction, Turn } from '@whetstone/contracts';

import { detailLabels, headAt, withoutHeads } from './advice-marks.js';
import { adviceLines, linesOf, takeAdviceOut, withoutEnd, withoutStart } from './take-advice-out.js';

/** Removes advice that Whetstone inserted earlier. */
export function withoutAdvice(text: string): string {
  return takeAdviceOut(text, 'everything').own;
}

/**
 * Removes advice from an interaction, since advice is not evidence: wherever it comes back, with or without its delimiters, and
 * where the agent only repeats it. What the agent did stays, even if advice told it to.
 */
export function ownWords(interaction: Interaction): Interaction {
  const advice: string[] = [];
  const query = handedOn(interaction.query);
  const turns = interaction.turns.map((turn) => withTexts(turn, decision, handedOn));
  if (advice.length === 0) return interaction;

  const sentences = sentencesOfAdvice(advice);
  const own = (text: string) => withoutEchoes(text, sentences);
  return { ...interaction, query, turns: turns.map((turn) => withTexts(turn, own, own)) };

  function handedOn(text: string): string {
    const taken = takeAdviceOut(text, 'everything');
    for (const piece of taken.advice) advice.push(piece);
    return taken.own;
  }

  /** Repeating the task with its advice is not an action. */
  function decision(text: string): string {
    const taken = takeAdviceOut(text, 'lines');
    for (const piece of taken.advice) advice.push(piece);
    return taken.advice.length > 0 && taken.own.trim() === query.trim() ? '' : taken.own;
  }
}

type Change = (text: string) => string;

function withTexts(turn: Turn, changeDecision: Change, change: Change): Turn {
  const { inputs, decision, memory, result } = turn;
  return {
    ...turn,
    inputs: change(inputs),
    decision: changeDecision(decision),
    ...(memory === undefined ? {} : { memory: change(memory) }),
    ...(result === undefined ? {} : { result: change(result) }),
  };
}

/** Shorter sentences can match by chance. */
const leastWords = 5;
const mostAdvice = 256 * 1024;
const betweenSentences = /(?<=[.!?…”])(\s+)/;
const shown = [detailLabels.example, detailLabels.failed].map((label) => label.toLowerCase());
/** As `plain` writes them, longest first. */
const labels = [detailLabels.notWhen, detailLabels.when, detailLabels.steps].map((label) => `${wordsOf(label)} `);

/**
 * Sentences of advice, to recognise repetitions. Excludes examples: an agent that does what an example shows has acted, and the
 * outcome is evidence.
 */
function sentencesOfAdvice(advice: readonly string[]): Set<string> {
  const sentences = new Set<string>();
  let left = mostAdvice;
  for (const piece of advice) {
    left -= piece.length;
    if (left < 0) break;
    let inExample = false;
    for (const { text } of adviceLines(piece)) {
      inExample &&= headAt(text) === undefined && !labels.some((label) => wordsOf(text).startsWith(label));
      const starts = shown.map((label) => text.toLowerCase().indexOf(label)).filter((start) => start >= 0);
      const said = inExample ? '' : withoutHeads(text.slice(0, Math.min(text.length, ...starts)));
      for (const sentence of said.split(betweenSentences).map(plain)) {
        if (sentence.split(' ').length >= leastWords) sentences.add(sentence);
      }
      inExample ||= starts.length > 0;
    }
  }
  return sentences;
}

/** Removes sentences that repeat advice verbatim. Anything but prose, such as commands and calls, stays. */
function withoutEchoes(text: string, sentences: ReadonlySet<string>): string {
  if (sentences.size === 0) return text;
  const lines = linesOf(text, /(\r\n|[\n\r\u2028\u2029]|(?:\\{1,8}r)?\\{1,8}n)/).map((line) => {
    const parts = line.text.split(betweenSentences);
    const kept = parts.filter((part) => !(isProse(part) && sentences.has(plain(part))));
    if (kept.length === parts.length) return line.text + line.end;
    const rest = kept.join('').trimEnd();
    const isNumber = Number(wordsOf(rest).replaceAll(' ', '')) >= 0;
    return isNumber ? '' : rest + line.end;
  });
  return lines.join('');
}

/** Starts with a capital and ends like a sentence, ignoring markup. */
function isProse(part: string): boolean {
  const first = withoutStart(part, ' \t>*#+|`"\'“(0123456789.)-').charAt(0);
  const last = withoutEnd(part, ' \t*_`"\')').slice(-1);
  return first !== first.toLowerCase() && last !== '' && '.!?…”'.includes(last);
}

/** The words of a sentence without number, label and markup. */
function plain(sentence: string): string {
  const words = wordsOf(sentence);
  const [first = ''] = words.split(' ', 1);
  const said = first.length < 4 && Number(first) > 0 ? words.slice(first.length + 1) : words;
  const label = labels.find((candidate) => said.startsWith(candidate));
  return said.slice(label?.length ?? 0);
}

function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}
