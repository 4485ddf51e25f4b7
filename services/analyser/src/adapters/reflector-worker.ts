import type { Interaction } from '@whetstone/contracts';
import { decodeUploadSync } from '@whetstone/event-log/codec';
import { isAppError, lowerPriority, serveWorker } from '@whetstone/platform/worker';

import { outlineMessage } from '../domain/jobs/outline-message.js';
import { readForModel, reflect } from '../domain/learn/reflect.js';
import type { Outline, PackedRun, Run } from '../domain/ports.js';

/** What is done off the event loop. */
export type AnalysisName = 'outline' | 'reflect' | 'readForModel';

// Callers wait for answers; nobody waits for a lesson.
lowerPriority();

serveWorker({
  outline: ({ message, key }: PackedRun): Outline => {
    let value: unknown;
    try {
      value = decodeUploadSync(message, key);
    } catch (error) {
      // A decoder's error may quote the message, so it stays out of letters and logs.
      return { value, undecodable: isAppError(error) ? error.message : 'The message cannot be decoded' };
    }
    return outlineMessage(value);
  },
  reflect: (run: Run) => reflect(unpack(run)),
  readForModel: ({ run, budgetTokens }: { run: Run; budgetTokens: number }) => readForModel(unpack(run), budgetTokens),
} satisfies Record<AnalysisName, unknown>);

/** Its outline has been checked before. */
function unpack(run: Run): Interaction {
  return 'message' in run ? (decodeUploadSync(run.message, run.key) as { interaction: Interaction }).interaction : run;
}
