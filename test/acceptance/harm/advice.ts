import type { Client } from '../../support/client.js';
import type { EnhancedResponse, Turn, Upload } from '../../support/contract.js';
import { inParallel } from '../../support/eventually.js';

/** One step of an agent: what it did, what came back, and what it had been told before. */
export type Step = readonly [decision: string, result: string, inputs?: string];

export interface Run {
  task: string;
  steps: readonly Step[];
  success?: boolean;
  agent?: string;
}

export function upload(tenantId: string, { task, steps, success = true, agent = 'shell' }: Run): Upload {
  const turns = steps.map(
    ([decision, result, inputs = ''], index): Turn => ({
      turn: index + 1,
      inputs: inputs || (index === 0 ? task : ''),
      decision,
      result,
    }),
  );
  return { tenant_id: tenantId, query: task, turns, success, agent_type: agent };
}

/** Runs that did the same and are still runs of their own: equal bodies count once. */
export function times(count: number, run: Run): Run[] {
  return Array.from({ length: count }, (_, index) => ({
    ...run,
    steps: run.steps.map(
      ([decision, result, inputs]): Step => [decision, `${result}\ntook ${index + 3} s`, inputs ?? ''],
    ),
  }));
}

export async function learn(client: Client, tenantId: string, runs: readonly Run[]): Promise<void> {
  const jobs = await inParallel(runs, 6, (run) => client.learn(upload(tenantId, run)));
  expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set(['completed']));
}

export interface Advice extends EnhancedResponse {
  /** Everything that stands after the input. */
  told: string;
}

export async function ask(client: Client, tenantId: string, task: string, agent?: string): Promise<Advice> {
  const answer = await client.enhance({ tenant_id: tenantId, input_text: task, agent_type: agent ?? null });
  expect(answer.response.startsWith(task)).toBe(true);
  return { ...answer, told: answer.response.slice(task.length) };
}

/** Characters that a reader does not see: control, bidi, tag, zero-width and variation characters. */
const unseen = /(?![\n\t])(?:\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Variation_Selector})/u;

export function hasUnseenCharacters(text: string): boolean {
  return unseen.test(text);
}

/** A text as its reader takes it: of one width and case, with single blanks and nothing invisible. */
export function read(text: string): string {
  return text
    .replace(new RegExp(unseen.source, 'gu'), '')
    .normalize('NFKC')
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

/** Which of the texts the advice tells, in whatever spelling. */
export function toldOf(told: string, texts: readonly string[]): string[] {
  const seen = read(told);
  return texts.filter((text) => seen.includes(read(text)));
}
