import type { History } from '../clients/history.js';
import type { Evidence } from '../evidence.js';
import { kinds, type Problem } from './check-promises.js';

/** From the end of a fault until every gateway answered again. */
export interface Recovery {
  title: string;
  tookMs: number;
}

export interface Outcome {
  system: string;
  evidence: Evidence;
  problems: readonly Problem[];
  history: Pick<History, 'probes' | 'answers' | 'ownMarkersSeen'>;
  recoveries: readonly Recovery[];
}

/** A summary in a few lines. */
export function describeOutcome({ system, evidence, problems, history, recoveries }: Outcome): string {
  const { uploads, deletions, sightings } = evidence;
  const ends = new Map(sightings.map(({ jobId, status }) => [jobId, status]));
  const acknowledged = new Set(uploads.flatMap(({ jobIds }) => jobIds));
  const ended = (status: string) => [...acknowledged].filter((jobId) => ends.get(jobId) === status).length;
  const broken = kinds.map((kind) => `${count(problems, kind)} ${kind}`);
  const answers = [...history.answers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, times]) => `${name}: ${times}`);
  return [
    ...recoveries.map(
      ({ title, tookMs }) => `${system}, ${title}: answered again after ${(tookMs / 1000).toFixed(1)} s`,
    ),
    `  ${uploads.length} uploads, ${acknowledged.size} acknowledged, ${ended('completed')} completed, ${ended('failed')} failed` +
      `, ${deletions.length} deletions, ${history.probes} probes of other accounts, ${history.ownMarkersSeen} own words seen`,
    `  ${broken.join(', ')}`,
    `  ${answers.join(', ')}`,
    '',
  ].join('\n');
}

function count(problems: readonly Problem[], kind: string): number {
  return problems.filter((problem) => problem.kind === kind).length;
}
