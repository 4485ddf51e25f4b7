import { parseArgs } from 'node:util';

import { type Arm, arms, type PlanOptions } from './arms.js';

export const worldNames = ['sql', 'shell', 'desk'] as const;
export type WorldName = (typeof worldNames)[number];

export const usage = `Lets a small real model work at self-checking tasks, with Whetstone's advice, without, and with plain retrieval.

  npm run uplift                          everything: hours on two cores; ended and started again it goes on where it was
  npm run uplift -- --worlds sql,desk     only these of ${worldNames.join(', ')}
  npm run uplift -- --arms without,with-curve
                                          only these of ${arms.map(({ name }) => name).join(', ')}
  npm run uplift -- --limit N             at most so many tasks per world
  npm run uplift -- --rounds N            how often a learning curve goes through the tasks (3)
  npm run uplift -- --seed N              another order of tasks, other halves (1)
  npm run uplift -- --model MODEL         qwen (1.5 billion parameters, fetched once, 1.1 GB), smollm2 (135 million), a GGUF file,
                                          or the address of a server with the chat interface of OpenAI, with its /v1
  npm run uplift -- --threads N           of the model's server (1)
  npm run uplift -- --url URL --key KEY   a Whetstone that runs already; collections named uplift-… stay there
  npm run uplift -- --out FOLDER          where everything is kept (data/uplift); another folder begins anew

docs/uplift.md says what is measured and how to read it.
`;

export interface UpliftArguments extends PlanOptions {
  worlds: WorldName[];
  arms: Arm[];
  model: string;
  threads: number;
  service?: { url: string; key: string };
  out: string;
}

/** `undefined` if only help was asked for. */
export function readArguments(argv: string[]): UpliftArguments | undefined {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: argv,
    options: {
      worlds: { ...text, default: worldNames.join(',') },
      arms: { ...text, default: arms.map(({ name }) => name).join(',') },
      limit: { ...text, default: '1000' },
      rounds: { ...text, default: '3' },
      seed: { ...text, default: '1' },
      model: { ...text, default: 'qwen' },
      threads: { ...text, default: '1' },
      url: text,
      key: text,
      out: { ...text, default: 'data/uplift' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return undefined;
  const { url, key } = values;
  if ((url === undefined) !== (key === undefined)) throw new Error('--url and --key belong together');
  const chosen = namesIn(
    '--arms',
    values.arms,
    arms.map(({ name }) => name),
  );
  return {
    worlds: namesIn('--worlds', values.worlds, worldNames),
    // The baseline of all other arms, and part of what they learn from.
    arms: arms.filter(({ name }) => name === 'without' || chosen.includes(name)),
    limit: wholeNumber('--limit', values.limit),
    rounds: wholeNumber('--rounds', values.rounds),
    seed: wholeNumber('--seed', values.seed),
    model: values.model,
    threads: wholeNumber('--threads', values.threads),
    ...(url !== undefined && key !== undefined ? { service: { url: url.replace(/\/$/, ''), key } } : {}),
    out: values.out,
  };
}

function namesIn<Name extends string>(option: string, list: string, known: readonly Name[]): Name[] {
  return list.split(',').map((name) => {
    const found = known.find((one) => one === name.trim());
    if (found === undefined) throw new Error(`${option} takes ${known.join(', ')}, not ${name}`);
    return found;
  });
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name} must be a whole number above 0, not ${text}`);
  return Number(text);
}
