import type { EnhancedResponse } from '../../support/contract.js';
import { lessons } from '../../support/uploads.js';
import type { Place, Topic } from '../evidence.js';
import { type Caller, operations, type Seen } from './caller.js';
import type { History } from './history.js';

/** Asks what a place knows of a topic. The task itself has to come back first, whole. */
export async function ask(
  history: History,
  caller: Caller,
  place: Place,
  topic: Topic,
  gateway?: string,
): Promise<Seen<EnhancedResponse>> {
  const task = lessons[topic].asked;
  const seen = await caller.send<EnhancedResponse>({
    operation: operations.enhance,
    body: { tenant_id: place.tenantId, input_text: task },
    place,
    ...(gateway === undefined ? {} : { gateway }),
  });
  if (seen.status === 200 && !seen.body?.response.startsWith(task)) {
    history.oddities.push(`enhance_task did not keep the task: ${seen.text.slice(0, 300)}`);
  }
  return seen;
}

/** So alike are only uploads of the topic itself. */
const similarity = '0.9';

/** Deletes everything of a topic in a place. */
export async function deleteTopic(history: History, caller: Caller, place: Place, topic: Topic): Promise<void> {
  const { status, begunAt, endedAt } = await caller.send({
    operation: operations.delete,
    query: { tenant_id: place.tenantId, intent: lessons[topic].task, similarity_threshold: similarity },
    place,
  });
  history.deletions.push({ tag: place.tag, topic, begunAt, endedAt, done: status === 200 });
}
