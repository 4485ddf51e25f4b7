import { writeFile } from 'node:fs/promises';

import { openLocalEmbedder } from '@whetstone/indexer';
import { createLogger } from '@whetstone/platform';

import { unique } from '../support/accounts.js';
import { readArguments, usage } from './arguments.js';
import { calibrationOf } from './calibration.js';
import { createBaselines } from './contenders/baselines.js';
import { createRestService } from './contenders/rest-service.js';
import { type Domain, divideIntoDomains } from './domain.js';
import { goals } from './goals.js';
import type { Interaction } from './interaction.js';
import { ownDataFiles } from './own-data-files.js';
import { startOwnService } from './own-service.js';
import { readInteractions } from './read-interactions.js';
import { formatCalibration, formatRows, type NamedMeasures, rowsOf } from './report.js';
import { type ScoreOptions, scoreAnswerer, toolsCeiling } from './score.js';
import { summariseAnswers } from './summarise-answers.js';
import { writeAnswers } from './write-answers.js';

async function main(argv: string[]): Promise<void> {
  const wanted = readArguments(argv);
  if (wanted === undefined) {
    console.log(usage);
    return;
  }
  const began = Date.now();
  const interactions: Interaction[] = [];
  const files = wanted.data.length > 0 ? wanted.data : await ownDataFiles();
  for (const file of files) interactions.push(...(await readInteractions(file)));
  const domains = divideIntoDomains(interactions, wanted.folds, wanted.seed);
  const options: ScoreOptions = { questions: wanted.questions, seed: wanted.seed, say: (line) => console.error(line) };

  const own = wanted.service === undefined ? await startOwnService() : undefined;
  try {
    const service = createRestService({
      ...(wanted.service ?? (own as NonNullable<typeof own>)),
      prefix: unique('eval'),
    });
    const scores = await scoreAnswerer(service, domains, options);
    const baselines = await scoreBaselines(domains, options);
    const rows = rowsOf({ name: service.name, measures: scores.measures }, baselines, goals).map((row) => {
      const domain = domains.find(({ name }) => name === row.data);
      return row.metric === 'tools' && domain ? { ...row, ceiling: toolsCeiling(domain) } : row;
    });
    const calibration = calibrationOf(scores.asked);
    const answers = summariseAnswers(scores.asked);
    const { uploads, insights, nothingToLearn, failed } = service.learnt;
    console.log(`\n${formatRows(rows)}\n\n${formatCalibration(calibration)}\n`);
    console.log(
      `  answers: ${(answers.empty * 100).toFixed(0)} % empty, the others ${answers.medianLength} characters at the median, ${answers.longest} at most`,
    );
    console.log(
      `  ${uploads} uploads: ${insights} insights, ${nothingToLearn} with nothing to learn, ${failed} failed`,
    );
    console.log(
      `  seed ${wanted.seed}, ${wanted.folds} folds, at most ${wanted.questions} questions per metric and domain, ${((Date.now() - began) / 1000).toFixed(0)} s`,
    );
    if (wanted.json !== undefined) {
      const figures = { seed: wanted.seed, folds: wanted.folds, rows, calibration, answers, learnt: service.learnt };
      await writeFile(wanted.json, `${JSON.stringify(figures, null, 2)}\n`);
    }
    if (wanted.answers !== undefined) await writeAnswers(wanted.answers, service, scores.asked, wanted);
  } finally {
    await own?.end();
  }
}

async function scoreBaselines(domains: readonly Domain[], options: ScoreOptions): Promise<NamedMeasures[]> {
  const logger = createLogger({ service: 'eval', level: 'error', pretty: false });
  const embedder = await openLocalEmbedder({ logger });
  try {
    const measured: NamedMeasures[] = [];
    for (const baseline of Object.values(createBaselines(embedder, options.seed))) {
      const { measures } = await scoreAnswerer(baseline, domains, { ...options, say: () => {} });
      measured.push({ name: baseline.name, measures });
    }
    return measured;
  } finally {
    await embedder.close();
  }
}

await main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
