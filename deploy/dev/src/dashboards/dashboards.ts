import type { DashboardDefinition } from './definition.js';
import { dependencies } from './dependencies.js';
import { jobsAndKafka } from './jobs-and-kafka.js';
import { learning } from './learning.js';
import { overview } from './overview.js';
import { resources } from './resources.js';

/** One a question. Written to `charts/whetstone/dashboards` by `npm run docs`. */
export const dashboards: readonly DashboardDefinition[] = [overview, jobsAndKafka, learning, dependencies, resources];
