import { writeFile } from 'node:fs/promises';
import { median } from '../load/report.js';
import { shuffled } from './chance.js';
import type { RestService } from './contenders/rest-service.js';
import type { Domain } from './domain.js';
import { type Asked, metrics } from './measure.js';

/** A random sample of answers to tasks of the same domain, formatted for reading. */
export async function writeAnswers(
  file: string,
  service: Pick<RestService, 'respond'>,
  asked: readonly Asked[],
  domains: readonly Domain[],
  { count, seed }: { count: number; seed: number },
): Promise<void> {
  const own = asked.filter(({ metric }) => metric !== 'falseAlarm' && metric !== 'foreign');
  // A text asked by several metrics is drawn once.
  const different = new Map(own.map((one) => [`${one.collection}\n${one.question.text}`, one]));
  const drawn = shuffled([...different.values()], seed).slice(0, count);
  const parts: string[] = [];
  for (const [index, { metric, collection, question, interaction, score }] of drawn.entries()) {
    const { response, metadata } = await service.respond(collection, question);
    const { domain, task, family } = interaction.labels;
    const winners = domains.find(({ name }) => name === domain)?.winnersOf(task) ?? [];
    parts.push(
      [
        `=== ${index + 1} of ${drawn.length} · ${metrics[metric]} · ${domain} · scored ${score.toFixed(2)} · confidence ${metadata.confidence_score}`,
        `task: ${task}${family === undefined ? '' : `\nfamily: ${family}`}`,
        ...winners.map((winner) => `winner: ${winner}`),
        '',
        response,
        '',
      ].join('\n'),
    );
  }
  await writeFile(file, parts.join('\n'));
}

export interface AnswerSummary {
  answers: number;
  /** The share of empty answers. */
  empty: number;
  medianLength: number;
  longest: number;
}

/** Over all answers to tasks of the same domain. */
export function summariseAnswers(asked: readonly Asked[]): AnswerSummary {
  const own = asked.filter(({ metric }) => metric !== 'falseAlarm');
  const told = own.filter(({ answer }) => answer.recommendations.length > 0);
  const lengths = told.map(({ answer }) => answer.added.length);
  return {
    answers: own.length,
    empty: own.length === 0 ? 0 : 1 - told.length / own.length,
    medianLength: lengths.length === 0 ? 0 : median(lengths),
    longest: Math.max(0, ...lengths),
  };
}
