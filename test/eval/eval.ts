import { writeFile } from 'node:fs/promises';

import { unique } from '../support/accounts.js';
import { type EvalArguments, readArguments, usage } from './arguments.js';
import { calibrationOf, judgedBy } from './calibration.js';
import { createRestService, type RestService } from './contenders/rest-service.js';
import { type Domain, divideIntoDomains } from './domain.js';
import { goals } from './goals.js';
import type { Interaction } from './interaction.js';
import { startOwnService } from './own-service.js';
import { ownDataFiles, readInteractions } from './read-interactions.js';
import { formatFigures, type Row, readBefore, rowsOf } from './report.js';
import { type ScoreOptions, scoreAnswerer } from './score.js';
import { scoreBaselines } from './score-baselines.js';
import { toolsCeiling } from './tools-ceiling.js';
import { summariseAnswers, writeAnswers } from './write-answers.js';

async function main(argv: string[]): Promise<void> {
  const wanted = readArguments(argv);
  if (wanted === undefined) {
    console.log(usage);
    return;
  }
  const domains = divideIntoDomains(await gatherInteractions(wanted), wanted.folds, wanted.seed);
  const before = wanted.before === undefined ? undefined : await readBefore(wanted.before);

  const own = wanted.service === undefined ? await startOwnService() : undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void Promise.resolve(own?.end()).finally(() => process.exit(1)));
  }
  try {
    const at = wanted.service ?? (own as NonNullable<typeof own>);
    const service = createRestService({ ...at, prefix: unique('eval') });
    await measure(service, domains, wanted, before);
  } finally {
    await own?.end();
  }
}

async function gatherInteractions({ data, agentType }: EvalArguments): Promise<Interaction[]> {
  const files = data.length > 0 ? data : await ownDataFiles();
  const interactions = (await Promise.all(files.map(readInteractions))).flat();
  if (agentType === undefined) return interactions;
  return interactions.map(({ labels, upload }) => ({ labels, upload: { ...upload, agent_type: agentType } }));
}

async function measure(
  service: RestService,
  domains: readonly Domain[],
  wanted: EvalArguments,
  before: ((row: Row) => number | undefined) | undefined,
): Promise<void> {
  const began = Date.now();
  const { seed, folds, questions } = wanted;
  const only = wanted.only === undefined ? {} : { only: wanted.only };
  const options: ScoreOptions = { questions, seed, ...only, say: (line) => console.error(line) };
  const { measures, asked } = await scoreAnswerer(service, domains, options);
  const rows = rowsOf(measures, await scoreBaselines(domains, options), goals).map((row) => ({
    ...row,
    ...(row.metric === 'tools' ? { ceiling: toolsCeiling(domains, row.data) } : {}),
    ...(before?.(row) === undefined ? {} : { before: before(row) as number }),
  }));
  const figures = {
    seed,
    folds,
    questions,
    rows,
    calibration: { seen: calibrationOf(asked, judgedBy.seen), heldOut: calibrationOf(asked, judgedBy.heldOut) },
    answers: summariseAnswers(asked),
    learnt: service.learnt,
    seconds: Math.round((Date.now() - began) / 1000),
  };
  console.log(formatFigures(figures));
  if (domains.length === 1) console.log('  no false alarms measured: that needs a second domain, another --data');
  if (wanted.json !== undefined) await writeFile(wanted.json, `${JSON.stringify(figures, null, 2)}\n`);
  if (wanted.answers !== undefined) await writeAnswers(wanted.answers, service, asked, domains, wanted);
}

await main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
