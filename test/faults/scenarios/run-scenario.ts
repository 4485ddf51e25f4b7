import { unique } from '../../support/accounts.js';
import { eventually } from '../../support/eventually.js';
import type { Randomness } from '../../support/randomness.js';
import { checkPromises, type Problem, problem } from '../checker/check-promises.js';
import { describeOutcome, type Recovery } from '../checker/figures.js';
import { type Caller, createCaller, type Member } from '../clients/caller.js';
import { createHistory } from '../clients/history.js';
import { ask, createUploading, watchJob } from '../clients/requests.js';
import { type Load, startLoad } from '../clients/start-load.js';
import type { Place } from '../evidence.js';
import { gatherEvidence } from '../gather-evidence.js';
import type { Installation, System } from '../systems/system.js';

export interface Stage<Of extends Installation = System> {
  system: Of;
  load: Load;
  random: Randomness;
}

export interface Fault<Of extends Installation = System> {
  title: string;
  /** Resolves when it is over; the system must recover on its own. */
  strike(stage: Stage<Of>): Promise<unknown>;
}

export interface Scenario<Of extends Installation = System> {
  /** In order, each after the system has recovered from the previous one. */
  faults: readonly Fault<Of>[];
  system: Of;
  members: readonly Member[];
  random: Randomness;
  paceMs: number;
  /** Callers of the front address may notice nothing but broken connections. */
  flawless?: boolean;
  /** How long jobs may take to end after the load. */
  endWithinMs?: number;
  /** How long recovery may take. */
  answerWithinMs?: number;
}

const warmUp = 10;
const coolDown = 10;
const patienceMs = 300_000;

/** Runs clients and faults, gathers the evidence, and returns the problems. */
export async function runScenario<Of extends Installation>(scenario: Scenario<Of>): Promise<Problem[]> {
  const { faults, system, members, random, paceMs } = scenario;
  const { endWithinMs = patienceMs, answerWithinMs = patienceMs, flawless = false } = scenario;
  const history = createHistory();
  const addresses = flawless ? [system.front] : [...new Set([system.front, ...system.gateways])];
  const address = () => random.pick(addresses);
  const callers = members.map((member) => createCaller({ member, history, address, flawless }));
  const load = startLoad({ history, random, callers, paceMs, allKeyed: flawless });
  const silence: Problem[] = [];
  const recoveries: Recovery[] = [];
  try {
    await load.more(warmUp);
    for (const { title, strike } of faults) {
      await strike({ system, load, random });
      const over = Date.now();
      await untilAnswering(load, system.gateways, answerWithinMs);
      recoveries.push({ title, tookMs: Date.now() - over });
    }
    await load.more(coolDown);
  } catch (error) {
    silence.push(problem('silent', (error as Error).message));
  } finally {
    await load.stop();
  }
  const evidence = await gatherEvidence({ system, history, callers, endWithinMs });
  const problems = [...silence, ...checkPromises(evidence)];
  process.stdout.write(describeOutcome({ system: system.name, evidence, problems, history, recoveries }));
  for (const { text } of problems) process.stdout.write(explanationOf(text, system));
  return problems;
}

/** What the processes logged about the request: the logs are deleted with the run. */
function explanationOf(text: string, system: Installation): string {
  const [, requestId] = /"request_id":"([\w.-]+)"/.exec(text) ?? [];
  if (requestId === undefined) return '';
  return [`  logged of ${requestId}:`, ...system.logged(requestId).map((line) => `    ${line}`), ''].join('\n');
}

/** Waits until every gateway accepts an upload, completes its job and finds it. */
async function untilAnswering(load: Load, gateways: readonly string[], withinMs: number): Promise<void> {
  const { history, callers, placesOf } = load;
  const caller = callers[0] as Caller;
  const place = placesOf(caller)[0] as Place;
  for (const gateway of gateways) {
    const patience = { withinMs, everyMs: 100 };
    const uploading = createUploading(history, { place, topic: 'ports', idempotencyKey: unique('retry') });
    const send = async () => (await uploading.send(caller, gateway)) || undefined;
    await eventually(send, { what: `${gateway} takes uploads again`, ...patience });
    const jobId = uploading.sent.jobIds[0] as string;
    const learn = async () => (await watchJob(history, caller, jobId, gateway))?.status === 'completed' || undefined;
    await eventually(learn, { what: `${gateway} shows that uploads are learnt again`, ...patience });
    const find = async () =>
      (await ask(history, caller, place, 'ports', gateway)).body?.metadata.recommendations.length || undefined;
    await eventually(find, { what: `${gateway} answers tasks again`, ...patience });
  }
}
