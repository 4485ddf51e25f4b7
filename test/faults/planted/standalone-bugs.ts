import { onWorkerCall } from './on-worker-call.js';

/**
 * Loaded before the product: bugs that the checker has to find in what the product does. Each strikes now and then, as real
 * ones do.
 */
const everyNth = 10;
let appends = 0;
let writes = 0;

/** An acknowledged upload is not in the log. */
function loseUploads(payload: { events: { headers: string }[]; values: ArrayBuffer }): void {
  if (!payload.events.some(({ headers }) => headers.includes('job-id')) || ++appends % everyNth !== 0) return;
  payload.events = [];
  payload.values = new ArrayBuffer(0);
}

interface Batch {
  rows: { id: string; ordinal: number; type: string }[];
  vectors: Float32Array;
}

/** An insight is stored a second time, under the next number. */
function doubleInsights({ batch }: { batch: Batch }): void {
  const { rows, vectors } = batch;
  const last = rows.at(-1);
  if (last?.type !== 'insight' || ++writes % everyNth !== 0) return;
  const dimension = vectors.length / rows.length;
  rows.push({ ...last, ordinal: last.ordinal + 1, id: last.id.replace(/\d+$/, String(last.ordinal + 1)) });
  batch.vectors = new Float32Array([...vectors, ...vectors.subarray(-dimension)]);
}

onWorkerCall(({ method, payload }) => {
  if (method === 'write') loseUploads(payload as Parameters<typeof loseUploads>[0]);
  if (method === 'upsert') doubleInsights(payload as Parameters<typeof doubleInsights>[0]);
});
