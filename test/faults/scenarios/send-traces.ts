import { createClient } from '../../support/client.js';
import { eventually, inParallel } from '../../support/eventually.js';
import { agentTrace, exportOf, type Span } from '../../support/otlp.js';
import type { Randomness } from '../../support/randomness.js';
import type { Member } from '../clients/caller.js';
import type { Installation } from '../systems/system.js';

interface Run {
  job_id: string;
  status: string;
  query: string;
}

interface Sending {
  traces: number;
  steps: number;
  random: Randomness;
  /** Called when a third of the batches is sent, and when two thirds are. */
  strike(): Promise<void>;
}

/**
 * Sends traces as emitters do: in random pieces and order, each batch twice, and again until it is accepted, while
 * processes are killed. Returns what is wrong with the runs that they became.
 */
export async function sendTraces(system: Installation, { key, home }: Member, sending: Sending): Promise<string[]> {
  const { traces: count, steps, random, strike } = sending;
  const commands = Array.from({ length: steps }, (_, step) => `step-${step}`);
  const tasks = Array.from({ length: count }, (_, at) => `Trace ${at}`);
  const spans = inDisorder(
    tasks.flatMap((task) => agentTrace({ task, commands })),
    random,
  );
  const batches: Span[][] = [];
  while (spans.length > 0) batches.push(spans.splice(0, 1 + random.below(200)));
  const all = inDisorder([...batches, ...batches], random);
  const third = Math.ceil(all.length / 3);
  const strikes: Promise<void>[] = [];
  await inParallel([...all.entries()], 4, async ([at, batch]) => {
    if (at === third || at === 2 * third) strikes.push(strike());
    await untilAccepted(system, { key, tenantId: home.tenantId }, batch);
  });
  await Promise.all(strikes);

  const client = createClient(system.front, key);
  const runs = await eventually(
    async () => {
      const found = await listAll();
      return found.length >= count && found.every(({ status }) => status !== 'processing') ? found : undefined;
    },
    { what: `${count} traces have become runs`, withinMs: 300_000, everyMs: 1000 },
  );
  const problems = tasks.flatMap((task) => {
    const its = runs.filter(({ query }) => query === task);
    return its.length === 1 ? [] : [`${task} became ${its.length} runs`];
  });
  const trails = await inParallel(runs, 4, async ({ job_id, query }) => {
    const path = `/runs/${job_id}?tenant_id=${encodeURIComponent(home.tenantId)}`;
    const { body } = await client.request<{ trail: { action: string }[] }>('GET', path);
    const done = body.trail.map(({ action }) => /step-\d+/.exec(action)?.[0]);
    return done.join() === commands.join() ? [] : [`${query} has the steps ${done.join()}`];
  });
  return [...problems, ...trails.flat()];

  async function listAll(): Promise<Run[]> {
    const found: Run[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = new URLSearchParams({ tenant_id: home.tenantId, limit: '200', ...(cursor && { cursor }) });
      const { body }: { body: { runs: Run[]; next_cursor: string | null } } = await client.request(
        'GET',
        `/runs?${query}`,
      );
      found.push(...body.runs);
      cursor = body.next_cursor;
    }
    return found;
  }
}

async function untilAccepted(
  { front }: Installation,
  { key, tenantId }: { key: string; tenantId: string },
  batch: readonly Span[],
): Promise<void> {
  const headers = { 'x-api-key': key, 'x-whetstone-tenant': tenantId, 'content-type': 'application/json' };
  const body = JSON.stringify(exportOf(batch));
  await eventually(
    async () => {
      try {
        const { ok } = await fetch(`${front}/v1/traces`, { method: 'POST', headers, body });
        return ok || undefined;
      } catch (error) {
        // A gateway that is gone; the emitter tries again.
        if (error instanceof TypeError) return undefined;
        throw error;
      }
    },
    { what: 'a batch of spans is accepted', everyMs: 500 },
  );
}

function inDisorder<T>(items: readonly T[], random: Randomness): T[] {
  return items
    .map((item) => ({ item, at: random.below(2 ** 30) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
