import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

export const usage = `Deletes one alternative of a regular expression, one row of a table or one word of a list at a time, and tells which
deletions no unit test of the package notices. It works on copies of what is built; the work tree is never changed.

  npm run mutants                            a sample from the folders where rules are
  npm run mutants -- --folder FOLDER         from this folder of sources, or several
  npm run mutants -- --sample N              so many (60); 0: all of them
  npm run mutants -- --seed N                another sample (1)
  npm run mutants -- --at-once N             so many at a time (one per core)
  npm run mutants -- --list                  only lists what would be deleted
  npm run mutants -- --no-gate               ends well also when less than ${gatePercent()} % are noticed
`;

export const defaultFolders = ['packages/reading/src', 'services/analyser/src/domain/learn'];

export function gatePercent(): number {
  return 80;
}

export interface MutantsArguments {
  folders: string[];
  sample: number;
  seed: number;
  atOnce: number;
  gate: boolean;
  list: boolean;
}

/** `undefined` if only help was asked for. */
export function readArguments(argv: string[]): MutantsArguments | undefined {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: argv,
    options: {
      folder: { type: 'string', multiple: true, default: defaultFolders },
      sample: { ...text, default: '60' },
      seed: { ...text, default: '1' },
      'at-once': { ...text, default: String(availableParallelism()) },
      'no-gate': flag,
      list: flag,
      help: flag,
    },
  });
  if (values.help) return undefined;
  return {
    folders: values.folder.map((folder) => folder.replace(/\/+$/, '')),
    sample: wholeNumber('--sample', values.sample),
    seed: wholeNumber('--seed', values.seed),
    atOnce: Math.max(1, wholeNumber('--at-once', values['at-once'])),
    gate: !values['no-gate'],
    list: values.list,
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number, not ${text}`);
  return Number(text);
}
