import type { DemoInteraction } from '../interaction.js';
import { apiRuns } from './api.js';
import { browserRuns } from './browser.js';
import { codingRuns } from './coding.js';
import { shellRuns } from './shell.js';
import { sqlRuns } from './sql.js';
import { supportRuns } from './support.js';

export const interactions: DemoInteraction[] = [
  ...shellRuns,
  ...sqlRuns,
  ...browserRuns,
  ...supportRuns,
  ...codingRuns,
  ...apiRuns,
];
