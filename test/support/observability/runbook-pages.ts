import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { projectFolder } from '../product.js';
import type { Placed } from './unknown-names.js';

export interface RunbookPage {
  /** Of the file, without its ending. */
  name: string;
  text: string;
}

export async function readRunbookPages(): Promise<RunbookPage[]> {
  const folder = join(projectFolder, 'docs/runbooks');
  const files = (await readdir(folder)).sort();
  return Promise.all(
    files.map(async (file) => ({ name: file.replace(/\.md$/, ''), text: await readFile(join(folder, file), 'utf8') })),
  );
}

/** One expression a line of its `promql` blocks. */
export function expressionsOfPage({ name, text }: RunbookPage): Placed[] {
  return blocksOf(text, 'promql').map((expression) => ({ place: `${name}.md`, expression }));
}

/** The `whetstone` commands of its `bash` blocks and of its sentences, from the command's name on. */
export function whetstoneCommandsOf({ text }: RunbookPage): string[][] {
  const inSentences = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code as string);
  return [...blocksOf(text, 'bash'), ...inSentences].flatMap((line) => {
    const command = /(?:^|-- )whetstone ([a-z].*)$/.exec(line)?.[1];
    return command === undefined ? [] : [command.split(' ')];
  });
}

function blocksOf(text: string, language: string): string[] {
  const blocks = [...text.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))];
  return blocks.flatMap(([, lines]) => (lines as string).split('\n')).filter((line) => line !== '');
}
