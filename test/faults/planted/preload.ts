import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { projectFolder } from '../../support/product.js';

/** The environment that preloads one of these files into a process and all its threads. */
export function preload(file: 'misbehaving-analysis' | 'standalone-bugs' | 'cluster-bugs'): { NODE_OPTIONS: string } {
  return { NODE_OPTIONS: `--import=${pathToFileURL(join(projectFolder, 'test/dist/faults/planted', `${file}.js`))}` };
}
