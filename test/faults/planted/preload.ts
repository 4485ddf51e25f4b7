import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { projectFolder } from '../../support/product.js';

type Planted = 'misbehaving-analysis' | 'standalone-bugs' | 'cluster-bugs' | 'days-later' | 'stepping-clock';

/** The environment that preloads one of these files into a process and all its threads. */
export function preload(file: Planted): { NODE_OPTIONS: string } {
  return { NODE_OPTIONS: `--import=${pathToFileURL(join(projectFolder, 'test/dist/faults/planted', `${file}.js`))}` };
}
