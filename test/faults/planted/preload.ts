import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { projectFolder } from '../../support/product.js';

/** The environment with which a process of the product, and every thread of it, loads one of these files first. */
export function preload(file: 'misbehaving-analysis' | 'standalone-bugs' | 'cluster-bugs'): { NODE_OPTIONS: string } {
  return { NODE_OPTIONS: `--import=${pathToFileURL(join(projectFolder, 'test/dist/faults/planted', `${file}.js`))}` };
}
