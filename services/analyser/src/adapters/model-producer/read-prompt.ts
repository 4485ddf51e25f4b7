import { readFile } from 'node:fs/promises';

/** Changes with every change of what the prompts say: an insight names the version that it was made by. */
export const promptVersion = 'v2';

export interface Prompts {
  reflect: string;
  repair: string;
}

export async function readPrompts(): Promise<Prompts> {
  const [reflect, repair] = await Promise.all([readPrompt('reflect'), readPrompt('repair')]);
  return { reflect, repair };
}

async function readPrompt(name: string): Promise<string> {
  const file = new URL(`../../../prompts/${name}.${promptVersion}.md`, import.meta.url);
  return (await readFile(file, 'utf8')).trim();
}
