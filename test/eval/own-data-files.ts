import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { projectFolder } from '../support/product.js';

/** The small set that comes with the project: five kinds of agents, one domain each. */
export async function ownDataFiles(): Promise<string[]> {
  const folder = join(projectFolder, 'test/eval/data');
  return (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}
