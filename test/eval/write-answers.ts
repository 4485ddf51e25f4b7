import { writeFile } from 'node:fs/promises';

import { shuffled } from './chance.js';
import type { RestService } from './contenders/rest-service.js';
import { type Asked, metrics } from './measure.js';

/** Answers to tasks of the own domain, drawn by chance, as a person would want to read them. */
export async function writeAnswers(
  file: string,
  service: Pick<RestService, 'respond'>,
  asked: readonly Asked[],
  { count, seed }: { count: number; seed: number },
): Promise<void> {
  const own = asked.filter(({ metric }) => metric !== 'falseAlarm' && metric !== 'foreign');
  const drawn = shuffled(own, seed).slice(0, count);
  const parts: string[] = [];
  for (const [index, { metric, collection, question, interaction, score }] of drawn.entries()) {
    const { response, metadata } = await service.respond(collection, question);
    const { domain, task, family, winner } = interaction.labels;
    parts.push(
      [
        `=== ${index + 1} of ${drawn.length} · ${metrics[metric]} · ${domain} · scored ${score.toFixed(2)} · confidence ${metadata.confidence_score}`,
        `task: ${task}${family === undefined ? '' : ` · family: ${family}`}${winner === undefined ? '' : ` · winner: ${winner}`}`,
        '',
        response,
        '',
      ].join('\n'),
    );
  }
  await writeFile(file, parts.join('\n'));
}
