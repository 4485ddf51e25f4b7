import type { Interaction } from '@whetstone/contracts';
import { serveWorker } from '@whetstone/platform/worker';

import { reflect } from '../domain/reflector/reflect.js';
import { readForModel } from '../domain/transcript/read-for-model.js';

/** What is done off the event loop. */
export type AnalysisName = 'reflect' | 'readForModel';

serveWorker({
  reflect: (interaction: Interaction) => reflect(interaction),
  readForModel: ({ interaction, budgetTokens }: { interaction: Interaction; budgetTokens: number }) =>
    readForModel(interaction, budgetTokens),
} satisfies Record<AnalysisName, unknown>);
