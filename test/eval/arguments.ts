import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';

import { type Metric, metrics } from './measure.js';

export const usage = `Measures how much Whetstone's answers help, on labelled interactions, with simple baselines beside it.

  npm run eval                               the small set that comes with the project, on a service of its own
  npm run eval -- --data runs.jsonl          your interactions; give --data again for another domain
  npm run eval -- --url URL --key KEY        a service that runs already: use a key of an account made for this,
                                             since the uploads stay there, in collections named eval-…
  npm run eval -- --json FILE                the figures also as JSON
  npm run eval -- --before FILE              beside the figures of an earlier run, from its JSON
  npm run eval -- --answers FILE             also writes answers drawn by chance, in full, to read and judge
                   --count N                 so many of them (20)
  npm run eval -- --seed N                   another choice of answers, folds and samples (1)
  npm run eval -- --questions N              at most so many different questions per metric and domain (300)
  npm run eval -- --only METRIC              only this one, or several: ${Object.keys(metrics).join(', ')}
  npm run eval -- --agent-type NAME          uploads and questions all with this agent_type, or with "none"
  npm run eval -- --short                    two folds and at most 40 questions: quick, and rougher

Each line of a data file is one attempt at a task:

  {"labels": {"domain": "shell", "task": "rotate-logs", "winner": "logrotate -f app.conf"}, "upload": {"query": …, "turns": […], "success": true}}

docs/evaluation.md has the format, what each metric means and how it is computed.
`;

export interface EvalArguments {
  data: string[];
  service?: { url: string; key: string };
  json?: string;
  before?: string;
  answers?: string;
  count: number;
  seed: number;
  questions: number;
  folds: number;
  only?: Metric[];
  /** Overrides the data; null sends none. */
  agentType?: string | null;
}

/** `undefined` if only help was asked for. */
export function readArguments(argv: string[]): EvalArguments | undefined {
  const { values } = parseArgs({
    args: argv,
    options: {
      data: { type: 'string', multiple: true },
      url: { type: 'string' },
      key: { type: 'string' },
      json: { type: 'string' },
      before: { type: 'string' },
      answers: { type: 'string' },
      count: { type: 'string' },
      seed: { type: 'string' },
      questions: { type: 'string' },
      only: { type: 'string', multiple: true },
      'agent-type': { type: 'string' },
      short: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return undefined;
  if ((values.url === undefined) !== (values.key === undefined)) throw new Error('--url and --key belong together');
  // Fail before minutes of work rather than after.
  for (const file of [values.json, values.answers]) {
    if (file !== undefined && !existsSync(dirname(file)))
      throw new Error(`There is no folder ${dirname(file)} to write to`);
  }
  return {
    data: values.data ?? [],
    ...(values.url !== undefined && values.key !== undefined
      ? { service: { url: values.url.replace(/\/$/, ''), key: values.key } }
      : {}),
    ...(values.json === undefined ? {} : { json: values.json }),
    ...(values.before === undefined ? {} : { before: values.before }),
    ...(values.answers === undefined ? {} : { answers: values.answers }),
    count: wholeNumber('--count', values.count, 20),
    seed: wholeNumber('--seed', values.seed, 1),
    questions: wholeNumber('--questions', values.questions, values.short ? 40 : 300),
    folds: values.short ? 2 : 4,
    ...agentTypeOf(values['agent-type']),
    ...(values.only === undefined ? {} : { only: values.only.map(metricOf) }),
  };
}

function agentTypeOf(name: string | undefined): { agentType?: string | null } {
  return name === undefined ? {} : { agentType: name === 'none' ? null : name };
}

function metricOf(name: string): Metric {
  if (!Object.hasOwn(metrics, name))
    throw new Error(`--only must be one of ${Object.keys(metrics).join(', ')}, not ${name}`);
  return name as Metric;
}

function wholeNumber(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number, not ${text}`);
  return Number(text);
}
